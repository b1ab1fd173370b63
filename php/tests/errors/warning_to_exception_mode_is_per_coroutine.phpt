--TEST--
ST-01: the engine's mode that turns warnings into exceptions applies only to the coroutine that set it
--FILE--
<?php
use function Async\{spawn, await, suspend};
// The constructor of SplFileObject turns warnings into RuntimeException while it calls the stream wrapper.
class SuspendingWrapper {
    public $context;
    function stream_open($path, $mode, $options, &$opened) {
        echo "opening\n";
        suspend();
        suspend();
        echo "opened: ", $path === 'suspends://yes' ? 'yes' : 'no', "\n";
        return $path === 'suspends://yes';
    }
    function stream_read($count) { return ''; }
    function stream_eof() { return true; }
    function stream_stat() { return []; }
    function url_stat() { return []; }
}
stream_wrapper_register('suspends', 'SuspendingWrapper');
set_error_handler(function ($number, $text) { echo "warning: $text\n"; return true; });
function warn(string $coroutine) {
    try {
        fopen("/nowhere/$coroutine", 'r');
    } catch (Throwable $e) {
        echo get_class($e), " in $coroutine\n";
    }
}
$old = spawn(function () { suspend(); warn('old'); });
foreach (['suspends://yes', 'suspends://no'] as $path) {
    $opener = spawn(function () use ($path) {
        try {
            new SplFileObject($path);
            echo "constructed\n";
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
constructed
warning: fopen(/nowhere/after): Failed to open stream: No such file or directory
opening
warning: fopen(/nowhere/main): Failed to open stream: No such file or directory
warning: fopen(/nowhere/new): Failed to open stream: No such file or directory
opened: no
RuntimeException: "SuspendingWrapper::stream_open" call failed
warning: fopen(/nowhere/after): Failed to open stream: No such file or directory
