<?php
// usage: php -n -d extension=true_async php/tools/signatures.php
// Checks that the loaded extension declares what the stubs declare, with the same signatures. Without the extension it
// prints the declarations of the stubs as JSON; the check runs itself in that mode to get them.

namespace TrueAsync\Tools;

require __DIR__ . '/stubs.php';

/** @return array<string, string> signature by name */
function describe(array $functions, array $classes): array
{
    $found = [];
    foreach ($functions as $name) {
        $found["$name()"] = function_exists($name) ? signature(new \ReflectionFunction($name)) : 'missing';
    }
    foreach ($classes as $name) {
        if (!class_exists($name) && !interface_exists($name)) {
            $found[$name] = 'missing';
            continue;
        }
        $class = new \ReflectionClass($name);
        $found[$name] = heading_text($class);
        foreach ($class->getMethods() as $method) {
            if ($method->class === $name) {
                $found["$name::{$method->name}()"] = implode(' ', \Reflection::getModifierNames($method->getModifiers()))
                    . ' ' . signature($method);
            }
        }
        foreach ($class->isEnum() ? (new \ReflectionEnum($name))->getCases() : [] as $case) {
            $found["$name::{$case->name}"] = $case instanceof \ReflectionEnumBackedCase ? json_encode($case->getBackingValue()) : '';
        }
    }
    return $found;
}

function heading_text(\ReflectionClass $class): string
{
    $parent = $class->getParentClass();
    // read_stubs() removes "implements Throwable"; Throwable implies Stringable.
    $interfaces = array_diff($class->getInterfaceNames(), ['Throwable', 'Stringable', 'UnitEnum', 'BackedEnum']);
    sort($interfaces);
    return ($class->isFinal() ? 'final ' : '') . ($class->isInterface() ? 'interface' : 'class')
        . ($parent ? " extends {$parent->getName()}" : '') . ($interfaces ? ' implements ' . implode(', ', $interfaces) : '');
}

function signature(\ReflectionFunctionAbstract $function): string
{
    $parameters = [];
    foreach ($function->getParameters() as $parameter) {
        // "Parameter #0 [ <required> Async\Completable $awaitable ]": the text has all properties of the parameter.
        $text = preg_replace('/^Parameter #\d+ \[ (.*) \]$/s', '$1', (string) $parameter);
        $text = str_replace(['Traversable|array', ' or NULL', "''"], ['iterable', '', '""'], $text);
        $parameters[] = preg_replace('/<(required|optional)> /', '', str_replace('= NULL', '= null', $text));
    }
    $required = $function->getNumberOfRequiredParameters();
    return implode(', ', $parameters) . " ($required required): " . ($function->getReturnType() ?? 'none');
}

function names(array $stubs): array
{
    $functions = array_merge(...array_map(fn (Stub $stub): array => $stub->functions, $stubs));
    $classes = array_merge(...array_map(fn (Stub $stub): array => array_column($stub->classes, 'name'), $stubs));
    return [$functions, $classes];
}

$directory = dirname(__DIR__) . '/stubs';
if (!extension_loaded('true_async')) {
    [$functions, $classes] = names(read_stubs($directory));
    echo json_encode(['functions' => $functions, 'classes' => $classes, 'signatures' => describe($functions, $classes)]);
    exit(0);
}
$stubs = json_decode(shell_exec(escapeshellarg(PHP_BINARY) . ' -n ' . escapeshellarg(__FILE__)), true);
$extension = describe($stubs['functions'], $stubs['classes']);
$failures = 0;
foreach ($stubs['signatures'] as $name => $wanted) {
    [$class] = explode('::', $name);
    if ($class !== $name && ($extension[$class] ?? '') === 'missing') {
        continue; // reported once, for the class
    }
    if (($extension[$name] ?? 'missing') !== $wanted) {
        echo "not ok - $name\n  stub:      $wanted\n  extension: ", $extension[$name] ?? 'missing', "\n";
        $failures++;
    }
}
foreach (array_diff_key($extension, $stubs['signatures']) as $name => $text) {
    echo "not ok - $name is in no stub\n";
    $failures++;
}
$failures or print('ok - ' . count($extension) . " functions, classes and methods match the stubs\n");
exit($failures ? 1 : 0);
