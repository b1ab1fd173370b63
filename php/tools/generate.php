<?php
// usage: php -n php/tools/generate.php [--check]
// Writes php/generated/*_arginfo.h and php/ide/true_async.php from php/stubs; with --check only lists the stale files.
// Run it without the extension, because the stubs declare the same names.

namespace TrueAsync\Tools;

require __DIR__ . '/stubs.php';
require __DIR__ . '/arginfo_writer.php';
require __DIR__ . '/class_writer.php';

const HEADING = 'Made by php/tools/generate.php from php/stubs; change the stubs, not this file.';

function header_text(Stub $stub): string
{
    $infos = $declarations = $tables = $registrations = [];
    $entries = [];
    foreach ($stub->functions as $name) {
        $function = new \ReflectionFunction($name);
        $symbol = ArgInfoWriter::symbol($name);
        $infos[] = ArgInfoWriter::arginfo($function, $symbol) . "\n";
        $declarations[] = "ZEND_FUNCTION($symbol);\n";
        $namespace = addslashes($function->getNamespaceName());
        $entries[] = "ZEND_NS_FALIAS(\"$namespace\", {$function->getShortName()}, $symbol, arginfo_$symbol)";
    }
    if ($entries !== []) {
        $tables[] = ArgInfoWriter::table('ext_functions', $entries) . "\n";
    }
    foreach ($stub->classes as $heading) {
        $writer = new ClassWriter($heading);
        $infos[] = $writer->arginfo();
        $declarations[] = $writer->declarations();
        $tables[] = $writer->table() . "\n";
        $registrations[] = $writer->registration() . "\n";
    }
    $declared = implode('', $declarations);
    return '/* ' . HEADING . " */\n\n" . implode('', $infos) . ($declared !== '' ? "$declared\n" : '')
        . rtrim(implode('', $tables) . implode('', $registrations)) . "\n";
}

/** All stubs as one file for editors and analyzers, one namespace block each. Members added to PHP's own classes come last;
 *  no arginfo is generated from these. */
function ide_text(array $stubs, string $added): string
{
    $text = "<?php\n\n// " . HEADING . "\n// For editors and analyzers; never loaded at run time.\n";
    foreach ($stubs as $stub) {
        $body = preg_replace('/^<\?php\s+/', '', $stub->source);
        if (preg_match('/^namespace (\w+);\s+/', $body, $match)) {
            $inner = rtrim(substr($body, strlen($match[0])));
            $inner = preg_replace('/^(?=.)/m', '    ', $inner);
            $body = "namespace {$match[1]} {\n$inner\n}\n";
        }
        $text .= "\n" . rtrim($body) . "\n";
    }
    foreach (glob("$added/*.php") as $file) {
        $body = rtrim(preg_replace('/^<\?php\s+/', '', file_get_contents($file)));
        $text .= "\nnamespace {\n" . preg_replace('/^(?=.)/m', '    ', $body) . "\n}\n";
    }
    return $text;
}

/** @return array<string, string> text by path below php/ */
function outputs(string $php): array
{
    $stubs = read_stubs("$php/stubs");
    $files = ['ide/true_async.php' => ide_text($stubs, "$php/stubs/added")];
    foreach ($stubs as $stub) {
        $files["generated/{$stub->name}_arginfo.h"] = header_text($stub);
    }
    return $files;
}

function main(array $arguments): int
{
    if (extension_loaded('true_async')) {
        fwrite(STDERR, "error: run this without the extension: php -n php/tools/generate.php\n");
        return 2;
    }
    $check = in_array('--check', $arguments, true);
    $php = dirname(__DIR__);
    $files = outputs($php);
    $stale = [];
    foreach ($files as $path => $text) {
        if (!is_file("$php/$path") || file_get_contents("$php/$path") !== $text) {
            $stale[] = $path;
            $check or file_put_contents("$php/$path", $text);
        }
    }
    foreach (glob("$php/generated/*_arginfo.h") as $file) {
        $path = 'generated/' . basename($file);
        if (!isset($files[$path])) {
            $stale[] = "$path (no such stub)";
            $check or unlink($file);
        }
    }
    foreach ($stale as $path) {
        echo $check ? "not ok - php/$path does not match the stubs; run php -n php/tools/generate.php\n" : "wrote php/$path\n";
    }
    if ($check && $stale === []) {
        echo 'ok - ', count($files), " generated files match the stubs\n";
    }
    return $check && $stale !== [] ? 1 : 0;
}

exit(main(array_slice($argv, 1)));
