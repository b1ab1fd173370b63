--TEST--
Enums have the cases of the interface
--FILE--
<?php
foreach ([Async\Signal::class, Async\ChannelCloseReason::class, Async\CircuitBreakerState::class] as $enum) {
    foreach ($enum::cases() as $case) {
        echo $case->name, isset($case->value) ? '=' . $case->value : '', ' ';
    }
    echo "\n";
}
var_dump(Async\Signal::from(15), Async\Signal::tryFrom(99), Async\ChannelCloseReason::from('deadlock'));
?>
--EXPECT--
SIGHUP=1 SIGINT=2 SIGQUIT=3 SIGILL=4 SIGABRT=6 SIGFPE=8 SIGKILL=9 SIGUSR1=10 SIGSEGV=11 SIGUSR2=12 SIGTERM=15 SIGBREAK=21 SIGABRT2=22 SIGWINCH=28 
EXPLICIT=explicit DISPOSED=disposed NO_PRODUCERS=no producers timeout NO_CONSUMERS=no consumers timeout DEADLOCK=deadlock SCOPE_DISPOSED=scope disposed 
ACTIVE INACTIVE RECOVERING 
enum(Async\Signal::SIGTERM)
NULL
enum(Async\ChannelCloseReason::DEADLOCK)
