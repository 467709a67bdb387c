#!/usr/bin/env python3
"""Calls Countersign with Python's standard library, and openssl for the signature.

  call.py list 'page=0&size=5&sort=currencyCode,asc'
  call.py create '{"name": "Travel", "currencyCode": "EUR"}'

BASE_URL     the URL of the service, such as https://api.example.com
CLIENT_ID    the clientId that the operator gave you
PRIVATE_KEY  the file with your private key, in PEM: partner.key from `countersign keys generate
             --out partner`, Acme-Bank.private.pem from the portal
LISTING      the path of the list, by default /ledger/v1/wallets
"""
import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from email.utils import formatdate
from http.client import HTTPConnection, HTTPSConnection
from urllib.parse import quote, urlsplit


def setting(name):
    return os.environ.get(name) or sys.exit(f"{name} is not set")


def rsa_sha256(base):
    """RSASSA-PKCS1-v1_5 with SHA-256. With the package `cryptography` it is, without a process:

    key = serialization.load_pem_private_key(pem, password=None)
    return key.sign(base, padding.PKCS1v15(), hashes.SHA256())
    """
    key = setting("PRIVATE_KEY")
    if not os.access(key, os.R_OK):
        sys.exit(f"the private key {key} cannot be read: set PRIVATE_KEY to its file")
    if not shutil.which("openssl"):
        sys.exit("openssl is not installed")
    command = ["openssl", "dgst", "-sha256", "-sign", key]
    signature = subprocess.run(command, input=base, capture_output=True).stdout
    return signature or sys.exit(f"openssl cannot sign with {key}: is it an RSA private key in PEM?")


def sign(method, url, body):
    """Returns the headers that sign a request; send the URL and the body unchanged."""
    created = int(time.time())  # one reading of the clock: created and Date are the same second
    headers = {"Date": formatdate(created, usegmt=True)}
    covered = [("@method", method), ("@target-uri", url)]
    if body:
        digest = base64.b64encode(hashlib.sha256(body).digest()).decode()
        headers["Content-Digest"] = f"sha-256=:{digest}:"
        covered.append(("content-digest", headers["Content-Digest"]))
    covered.append(("date", headers["Date"]))

    names = " ".join(f'"{name}"' for name, _ in covered)
    client_id = setting("CLIENT_ID")
    params = f'({names});created={created};keyid="{client_id}";alg="rsa-v1_5-sha256"'
    lines = [f'"{name}": {value}' for name, value in covered]
    base = "\n".join(lines + [f'"@signature-params": {params}'])
    signature = base64.b64encode(rsa_sha256(base.encode())).decode()
    return headers | {"Signature-Input": f"sig={params}", "Signature": f"sig=:{signature}:"}


def call(method, url, body=b""):
    headers = {"Accept": "application/json"} | sign(method, url, body)
    if body:
        headers["Content-Type"] = "application/json"
    parts = urlsplit(url)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = kind(parts.netloc, timeout=30)  # follows no redirect: it would need a new signature
    target = parts.path + ("?" + parts.query if parts.query else "")
    connection.request(method, target, body or None, headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    if 200 <= answer.status < 300:
        return text
    try:
        problem = json.loads(text)
        sys.exit(f"{problem['reason']}: {problem['detail']}")
    except (ValueError, KeyError):
        sys.exit(f"http_{answer.status}: {text}")


url = setting("BASE_URL") + os.environ.get("LISTING", "/ledger/v1/wallets")
if sys.argv[1:2] == ["list"]:
    # Encode first, then sign: what is signed is what is sent. Safe are all that a query may have.
    query = quote("?" + sys.argv[2], safe="%?&=/:@!$'()*+,;~") if sys.argv[2:] else ""
    print(call("GET", url + query))
elif sys.argv[1:2] == ["create"] and sys.argv[2:]:
    print(call("POST", url, sys.argv[2].encode()))
else:
    sys.exit(__doc__)
