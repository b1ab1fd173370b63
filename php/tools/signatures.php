<?php
// usage: php -n -d extension=true_async php/tools/signatures.php
// Checks that the loaded extension has what the stubs say, with the same signatures. Without the extension it prints
// what the stubs declare, as JSON; that is how it gets the other side.

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
    // Throwable's stub can't be loaded as such; Stringable comes with it.
    $interfaces = array_diff($class->getInterfaceNames(), ['Throwable', 'Stringable', 'UnitEnum', 'BackedEnum']);
    sort($interfaces);
    return ($class->isFinal() ? 'final ' : '') . ($class->isInterface() ? 'interface' : 'class')
        . ($parent ? " extends {$parent->getName()}" : '') . ($interfaces ? ' implements ' . implode(', ', $interfaces) : '');
}

function signature(\ReflectionFunctionAbstract $function): string
{
    $parameters = [];
    foreach ($function->getParameters() as $parameter) {
        // "Parameter #0 [ <required> Async\Completable $awaitable ]": everything in one text.
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
$told = json_decode(shell_exec(escapeshellarg(PHP_BINARY) . ' -n ' . escapeshellarg(__FILE__)), true);
$here = describe($told['functions'], $told['classes']);
$failures = 0;
foreach ($told['signatures'] as $name => $wanted) {
    [$class] = explode('::', $name);
    if ($class !== $name && ($here[$class] ?? '') === 'missing') {
        continue; // said once, for the class
    }
    if (($here[$name] ?? 'missing') !== $wanted) {
        echo "not ok - $name\n  stub:      $wanted\n  extension: ", $here[$name] ?? 'missing', "\n";
        $failures++;
    }
}
foreach (array_diff_key($here, $told['signatures']) as $name => $text) {
    echo "not ok - $name stands in no stub\n";
    $failures++;
}
$failures or print('ok - ' . count($here) . " functions, classes and methods are as in the stubs\n");
exit($failures ? 1 : 0);
