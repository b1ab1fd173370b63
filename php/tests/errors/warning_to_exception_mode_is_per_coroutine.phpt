--TEST--
ST-01: where the engine turns warnings into exceptions, it does so for the coroutine that asked for it and for no other, old or new
--FILE--
<?php
use function Async\{spawn, await, suspend};
// The constructor of SplFileObject makes each warning a RuntimeException, and a stream wrapper is called meanwhile.
class Waits {
    public $context;
    function stream_open($path, $mode, $options, &$opened) {
        echo "opening\n";
        suspend();
        suspend();
        echo "opened: ", $path === 'waits://yes' ? 'yes' : 'no', "\n";
        return $path === 'waits://yes';
    }
    function stream_read($count) { return ''; }
    function stream_eof() { return true; }
    function stream_stat() { return []; }
    function url_stat() { return []; }
}
stream_wrapper_register('waits', 'Waits');
set_error_handler(function ($number, $text) { echo "warning: $text\n"; return true; });
function warn(string $who) {
    try {
        fopen("/nowhere/$who", 'r');
    } catch (Throwable $e) {
        echo get_class($e), " in $who\n";
    }
}
$old = spawn(function () { suspend(); warn('old'); });
foreach (['waits://yes', 'waits://no'] as $path) {
    $opener = spawn(function () use ($path) {
        try {
            new SplFileObject($path);
            echo "there\n";
        } catch (RuntimeException $e) {
            echo get_class($e), ": ", preg_replace('~.*: ~', '', $e->getMessage()), "\n";
        }
        warn('after');
    });
    suspend();
    $new = spawn(fn() => warn('new'));
    warn('main');
    await($new);
    await($opener);
}
await($old);
--EXPECTF--
opening
warning: fopen(/nowhere/main): Failed to open stream: No such file or directory
warning: fopen(/nowhere/old): Failed to open stream: No such file or directory
warning: fopen(/nowhere/new): Failed to open stream: No such file or directory
opened: yes
there
warning: fopen(/nowhere/after): Failed to open stream: No such file or directory
opening
warning: fopen(/nowhere/main): Failed to open stream: No such file or directory
warning: fopen(/nowhere/new): Failed to open stream: No such file or directory
opened: no
RuntimeException: "Waits::stream_open" call failed
warning: fopen(/nowhere/after): Failed to open stream: No such file or directory
