--TEST--
Every class except exceptions is final and cannot be cloned, unserialized or created without its constructor
--FILE--
<?php
foreach ((new ReflectionExtension('true_async'))->getClasses() as $class) {
    if ($class->isInterface() || $class->isEnum() || $class->implementsInterface('Throwable')) {
        continue;
    }
    if (!$class->isFinal()) {
        echo $class->name, " is not final\n";
    }
    if ($class->isCloneable()) {
        echo $class->name, " can be cloned\n";
    }
    try {
        unserialize(sprintf('O:%d:"%s":0:{}', strlen($class->name), $class->name));
        echo $class->name, " can be unserialized\n";
    } catch (Exception $error) {
    }
    try {
        $class->newInstanceWithoutConstructor();
        echo $class->name, " can be created without its constructor\n";
    } catch (ReflectionException $error) {
    }
}
echo 'done';
?>
--EXPECT--
done
