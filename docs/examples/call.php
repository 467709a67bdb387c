#!/usr/bin/env php
<?php
// Calls Countersign with PHP 8 and its openssl extension, and no package.
//
//   php call.php list 'page=0&size=5&sort=currencyCode,asc'
//   php call.php create '{"name": "Travel", "currencyCode": "EUR"}'
//
// BASE_URL     the URL of the service, such as https://api.example.com
// CLIENT_ID    the clientId that the operator gave you
// PRIVATE_KEY  the file with your private key, in PEM: partner.key from `countersign keys generate
//              --out partner`, Acme-Bank.private.pem from the portal
// LISTING      the path of the list, by default /ledger/v1/wallets
declare(strict_types=1);

function fail(int $code, string $message): never
{
    fwrite(STDERR, $message . "\n");
    exit($code);
}

function setting(string $name): string
{
    return getenv($name) ?: fail(2, "$name is not set");
}

/** Returns the headers that sign a request; send the URL and the body unchanged. */
function signed(string $method, string $url, string $body): array
{
    $created = time(); // one reading of the clock: created and Date are the same second
    $headers = ['Date' => gmdate('D, d M Y H:i:s', $created) . ' GMT'];
    $covered = ['@method' => $method, '@target-uri' => $url];
    if ($body !== '') {
        $digest = base64_encode(hash('sha256', $body, true));
        $headers['Content-Digest'] = $covered['content-digest'] = "sha-256=:$digest:";
    }
    $covered['date'] = $headers['Date'];

    $names = '"' . implode('" "', array_keys($covered)) . '"';
    $params = "($names);created=$created;keyid=\"" . setting('CLIENT_ID') . '";alg="rsa-v1_5-sha256"';
    $base = '';
    foreach ($covered as $name => $value) {
        $base .= "\"$name\": $value\n";
    }
    $base .= "\"@signature-params\": $params"; // no line feed at its end
    $file = setting('PRIVATE_KEY');
    $pem = @file_get_contents($file) ?: fail(1, "the private key $file cannot be read");
    // For an RSA key this is RSASSA-PKCS1-v1_5.
    @openssl_sign($base, $signature, $pem, OPENSSL_ALGO_SHA256) || fail(1, "$file is not a key");
    $signature = base64_encode($signature);
    return $headers + ['Signature-Input' => "sig=$params", 'Signature' => "sig=:$signature:"];
}

function call(string $method, string $url, string $body = ''): string
{
    $headers = ['Accept' => 'application/json'] + signed($method, $url, $body);
    if ($body !== '') {
        $headers['Content-Type'] = 'application/json';
    }
    $lines = array_map(fn($name, $value) => "$name: $value", array_keys($headers), $headers);
    $http = ['method' => $method, 'header' => $lines, 'content' => $body, 'timeout' => 30];
    // A refusal has a body to read. A redirect is not followed: it would need a new signature.
    $http += ['ignore_errors' => true, 'follow_location' => 0, 'protocol_version' => 1.1];
    $answer = fopen($url, 'r', false, stream_context_create(['http' => $http]));
    $answer || fail(1, "connection_failed: $url");
    $status = (int) explode(' ', stream_get_meta_data($answer)['wrapper_data'][0])[1];
    $text = stream_get_contents($answer);
    if ($status >= 200 && $status < 300) {
        return $text . "\n";
    }
    $problem = json_decode($text, true);
    fail(1, ($problem['reason'] ?? "http_$status") . ': ' . ($problem['detail'] ?? $text));
}

$url = setting('BASE_URL') . (getenv('LISTING') ?: '/ledger/v1/wallets');
if (($argv[1] ?? '') === 'list') {
    // Encode first, then sign: what is signed is what is sent.
    $encode = fn(array $found) => rawurlencode($found[0]);
    $query = preg_replace_callback('/[^!$%&-;=?-Z_a-z~]/', $encode, $argv[2] ?? '');
    echo call('GET', $query === '' ? $url : "$url?$query");
} elseif (($argv[1] ?? '') === 'create' && isset($argv[2])) {
    echo call('POST', $url, $argv[2]);
} else {
    fail(2, 'call.php list [QUERY] | create JSON');
}
