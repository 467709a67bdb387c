#!/bin/sh
# Calls Countersign with openssl and curl alone.
#
#   openssl-curl.sh list 'page=0&size=5&sort=currencyCode,asc'
#   openssl-curl.sh create '{"name": "Travel", "currencyCode": "EUR"}'
#
# BASE_URL      the URL of the service, such as https://api.example.com
# CLIENT_ID     the clientId that the operator gave you
# PRIVATE_KEY   the file with your private key, in PEM: partner.key from `countersign keys generate
#               --out partner`, Acme-Bank.private.pem from the portal
# LISTING       the path of the list, by default /ledger/v1/wallets
# WITHOUT_DATE  1 leaves Date out, for a service with access.date: optional
set -eu
: "${BASE_URL:?}" "${CLIENT_ID:?}" "${PRIVATE_KEY:?}"

fail() {
  echo "$1" >&2
  exit 1
}

[ -r "$PRIVATE_KEY" ] || fail "the private key $PRIVATE_KEY cannot be read: set PRIVATE_KEY to its file"

usage() {
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
  exit 2
}

# call METHOD URL [BODY]
call() {
  method=$1 url=$2 body=${3-}

  # One reading of the clock, so that created and Date are the same second.
  now=$(LC_ALL=C date -u '+%s %a, %d %b %Y %H:%M:%S GMT')
  created=${now%% *} date=${now#* }

  # The signature base, line by line, and the headers to send.
  covered='"@method" "@target-uri"'
  base="\"@method\": $method
\"@target-uri\": $url"
  set -- --request "$method" --header 'Accept: application/json'
  if [ -n "$body" ]; then
    digest="sha-256=:$(printf %s "$body" | openssl dgst -sha256 -binary | openssl base64 -A):"
    covered="$covered \"content-digest\""
    base="$base
\"content-digest\": $digest"
    set -- "$@" --header "Content-Digest: $digest" \
      --header 'Content-Type: application/json' --data-raw "$body"
  fi
  if [ -z "${WITHOUT_DATE-}" ]; then
    covered="$covered \"date\""
    base="$base
\"date\": $date"
    set -- "$@" --header "Date: $date"
  fi
  params="($covered);created=$created;keyid=\"$CLIENT_ID\";alg=\"rsa-v1_5-sha256\""
  base="$base
\"@signature-params\": $params"

  # RSASSA-PKCS1-v1_5 with SHA-256 over the base, which has no line feed at its end.
  # A pipe hides the failure of openssl, which leaves the signature empty.
  signature=$(printf %s "$base" | openssl dgst -sha256 -sign "$PRIVATE_KEY" 2>/dev/null |
    openssl base64 -A 2>/dev/null) || signature=
  [ -n "$signature" ] || fail "openssl cannot sign with $PRIVATE_KEY: is it an RSA private key in PEM?"
  curl --silent --show-error --fail-with-body --globoff --path-as-is "$@" \
    --header "Signature-Input: sig=$params" --header "Signature: sig=:$signature:" "$url"
}

url=$BASE_URL${LISTING:-/ledger/v1/wallets}
case ${1-} in
  list) call GET "$url${2:+?$2}" ;;
  create) call POST "$url" "${2:?the record as JSON}" ;;
  *) usage ;;
esac
