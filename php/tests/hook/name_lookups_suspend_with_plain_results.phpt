--TEST--
gethostbyname, gethostbynamel and gethostbyaddr suspend and return the results of plain PHP
--FILE--
<?php
require __DIR__ . '/support.inc';
$plain = [gethostbyname('localhost'), gethostbynamel('localhost'), gethostbyaddr('127.0.0.1'), gethostbyname('no.such.name.invalid')];
$async = [
    run_beside_other('gethostbyname', fn () => gethostbyname('localhost')),
    run_beside_other('gethostbynamel', fn () => gethostbynamel('localhost')),
    run_beside_other('gethostbyaddr', fn () => gethostbyaddr('127.0.0.1')),
    run_beside_other('gethostbyname of an unknown name', fn () => gethostbyname('no.such.name.invalid')),
];
var_dump($async === $plain);
?>
--EXPECT--
gethostbyname: begin other end
gethostbynamel: begin other end
gethostbyaddr: begin other end
gethostbyname of an unknown name: begin other end
bool(true)
