--TEST--
A class whose parent, interface or trait is being loaded is awaited by other coroutines, not reported as missing
--FILE--
<?php
use function Async\{spawn, await_all, delay};
$folder = __DIR__ . '/class_with_parent.tmp';
@mkdir($folder);
file_put_contents("$folder/Child.php", '<?php class Child extends Base implements Face { use Part; const NAME = "Child"; }');
file_put_contents("$folder/Base.php", '<?php class Base {}');
file_put_contents("$folder/Face.php", '<?php interface Face {}');
file_put_contents("$folder/Part.php", '<?php trait Part {}');
file_put_contents("$folder/Orphan.php", '<?php class Orphan extends Nowhere {}');
spl_autoload_register(function (string $class) use ($folder) {
    delay(2);
    if (is_file("$folder/$class.php")) require "$folder/$class.php";
});
[$results, $errors] = await_all(array_map(fn($ms) => spawn(function () use ($ms) { delay($ms); return Child::NAME; }), range(1, 9)));
echo implode(' ', array_unique($results)), ' ', count($results), ' ', count($errors), "\n";
// A class that cannot be declared is missing for every coroutine.
[$results, $errors] = await_all(array_map(fn($ms) => spawn(function () use ($ms) { delay($ms); return Orphan::NAME; }), range(1, 9)));
echo count($results), ' ', implode(' ', array_unique(array_map(fn($e) => $e->getMessage(), $errors))), "\n";
foreach (glob("$folder/*") as $file) unlink($file);
rmdir($folder);
--EXPECT--
Child 9 0
0 Class "Nowhere" not found
