--TEST--
CA-12: an exception of a curl callback ends its transfer and reaches the awaiter; other and later transfers succeed
--EXTENSIONS--
curl
--FILE--
<?php
use function Async\{spawn, await, await_all, delay};
$file = __DIR__ . '/callback_exception.tmp';
file_put_contents($file, str_repeat("line\n", 100000));
function transfer(string $file, int $option = 0, ?callable $callback = null): string {
    $curl = curl_init("file://$file");
    curl_setopt($curl, CURLOPT_RETURNTRANSFER, true);
    if ($option === CURLOPT_PROGRESSFUNCTION) curl_setopt($curl, CURLOPT_NOPROGRESS, false);
    if ($option) curl_setopt($curl, $option, $callback);
    return md5((string) curl_exec($curl));
}
$calls = 0;
$throw = function () use (&$calls) {
    ++$calls;
    throw new DomainException('from the callback');
};
[$results, $errors] = await_all([
    'write' => spawn(transfer(...), $file, CURLOPT_WRITEFUNCTION, $throw),
    'progress' => spawn(transfer(...), $file, CURLOPT_PROGRESSFUNCTION, $throw),
    'header' => spawn(transfer(...), $file, CURLOPT_HEADERFUNCTION, $throw),
    'unaffected' => spawn(transfer(...), $file),
    'other' => spawn(function () { delay(1); return 'other'; }),
]);
foreach ($errors as $name => $error) echo "$name: ", get_class($error), ' ', $error->getMessage(), "\n";
var_dump($results['unaffected'] === md5_file($file), $results['other'], $calls);
var_dump(transfer($file) === md5_file($file));
unlink($file);
--EXPECT--
write: DomainException from the callback
progress: DomainException from the callback
header: DomainException from the callback
bool(true)
string(5) "other"
int(3)
bool(true)
