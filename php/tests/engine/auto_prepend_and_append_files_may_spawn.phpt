--TEST--
auto_prepend_file and auto_append_file may spawn coroutines
--FILE--
<?php
require __DIR__ . '/child.inc';
$before = tempnam(sys_get_temp_dir(), 'ta');
$after = tempnam(sys_get_temp_dir(), 'ta');
$main = tempnam(sys_get_temp_dir(), 'ta');
file_put_contents($before, '<?php Async\spawn(function () { Async\delay(1); echo "from before\n"; }); echo "before\n";');
file_put_contents($main, '<?php echo "main\n"; Async\spawn(function () { Async\delay(3); echo "from main\n"; });');
file_put_contents($after, '<?php Async\spawn(function () { Async\delay(1); echo "from after\n"; }); echo "after\n";');
echo run_php(['-d', "auto_prepend_file=$before", '-d', "auto_append_file=$after", $main])[1];
array_map('unlink', [$before, $main, $after]);
--EXPECT--
before
main
from before
from main
after
from after
