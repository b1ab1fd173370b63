--TEST--
A class that waits for its parent, interface or trait to be loaded is waited for by others, not missing
--FILE--
<?php
use function Async\{spawn, await_all, delay};
$folder = __DIR__ . '/class_whose_parent.tmp';
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
[$results, $errors] = await_all(array_map(fn($pause) => spawn(function () use ($pause) { delay($pause); return Child::NAME; }), range(1, 9)));
echo implode(' ', array_unique($results)), ' ', count($results), ' ', count($errors), "\n";
// One that can't be made is missing for all.
[$results, $errors] = await_all(array_map(fn($pause) => spawn(function () use ($pause) { delay($pause); return Orphan::NAME; }), range(1, 9)));
echo count($results), ' ', implode(' ', array_unique(array_map(fn($e) => $e->getMessage(), $errors))), "\n";
foreach (glob("$folder/*") as $file) unlink($file);
rmdir($folder);
--EXPECT--
Child 9 0
0 Class "Nowhere" not found
