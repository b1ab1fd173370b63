<?php
// Reads php/stubs. Loads each stub as PHP code for Reflection, and records what Reflection does not report: the file of
// each declaration, and the parent and interfaces that a class itself names.

namespace TrueAsync\Tools;

final class ClassHeading
{
    public function __construct(
        public readonly string $name,
        public readonly string $kind,
        public readonly ?string $parent,
        /** @var string[] what it implements, or an interface extends */
        public readonly array $interfaces,
    ) {}
}

final class Stub
{
    /** @var string[] full names, in the order of the file */
    public array $functions = [];
    /** @var ClassHeading[] */
    public array $classes = [];

    public function __construct(public readonly string $name, public readonly string $source) {}
}

/** @return Stub[] one for each file, sorted; a stub of functions/ is named functions_<topic> */
function read_stubs(string $directory): array
{
    $stubs = [];
    foreach ([...glob("$directory/*.stub.php"), ...glob("$directory/functions/*.stub.php")] as $file) {
        $prefix = basename(dirname($file)) === 'functions' ? 'functions_' : '';
        $stub = new Stub($prefix . basename($file, '.stub.php'), file_get_contents($file));
        scan($stub);
        $stubs[] = $stub;
    }
    load($stubs);
    return $stubs;
}

function scan(Stub $stub): void
{
    $namespace = '';
    foreach (explode("\n", $stub->source) as $line) {
        if (preg_match('/^namespace\s*([\w\\\\]*)\s*[;{]/', $line, $match)) {
            $namespace = $match[1] === '' ? '' : $match[1] . '\\';
        } elseif (preg_match('/^\s{0,4}function (\w+)\(/', $line, $match)) {
            $stub->functions[] = $namespace . $match[1];
        } elseif (preg_match('/^\s*(?:final |abstract )?(class|interface|enum) (\w+)(?:: \w+)?'
            . '(?: extends ([\w\\\\, ]+?))?(?: implements ([\w\\\\, ]+))?$/', $line, $match)) {
            $stub->classes[] = heading($namespace, $match);
        }
    }
}

function heading(string $namespace, array $match): ClassHeading
{
    $full = fn (string $name): string => $name[0] === '\\' ? substr($name, 1) : $namespace . $name;
    $names = fn (?string $list): array => $list ? array_map($full, preg_split('/,\s*/', trim($list))) : [];
    [, $kind, $name] = $match;
    $extends = $names($match[3] ?? null);
    $interfaces = $kind === 'interface' ? $extends : $names($match[4] ?? null);
    return new ClassHeading($namespace . $name, $kind, $kind === 'class' ? $extends[0] ?? null : null, $interfaces);
}

/** Declares all classes and functions. A class that an earlier file needs is autoloaded. */
function load(array $stubs): void
{
    $where = [];
    foreach ($stubs as $stub) {
        foreach ($stub->classes as $class) {
            $where[$class->name] = $stub;
        }
    }
    $loaded = [];
    $load = function (Stub $stub) use (&$loaded): void {
        if (!isset($loaded[$stub->name])) {
            $loaded[$stub->name] = true;
            // PHP code cannot implement Throwable directly; the ClassHeading records it.
            eval(str_replace([' implements \Throwable', '<?php'], '', $stub->source));
        }
    };
    spl_autoload_register(fn (string $class) => isset($where[$class]) && $load($where[$class]));
    array_walk($stubs, $load);
}
