#!/usr/bin/env python3
"""Checks an export of the audit trail without anything of Countersign.

    check-audit.py audit.csv [HEAD]

HEAD is the hash of the last entry as it was noted when that entry was written, in upper or lower
case; it may be anywhere in the file, and its number is printed. Exit code 0 when all is well, 1 with the first place where it is not.
"""
import csv
import hashlib
import sys

FIELDS = "seq at author channel address action subject before after previous_hash".split()
csv.field_size_limit(2**31 - 1)


def netstring(name, value):
    if name == "address" and value == "":
        return b"-,"
    data = value.encode()
    return b"%d:%s," % (len(data), data)


def main(file, head=None):
    previous, count, found = "0" * 64, 0, 0
    for cells in csv.DictReader(open(file, encoding="utf-8", newline=""), strict=True):
        entry = {name: cell.removeprefix("'") for name, cell in cells.items()}
        count += 1
        if entry["seq"] != str(count):
            sys.exit(f"entry {count} is missing")
        if entry["previous_hash"] != previous:
            sys.exit(f"entry {count} does not continue the entry before")
        encoded = b"".join(netstring(name, entry[name]) for name in FIELDS)
        if hashlib.sha256(encoded).hexdigest() != entry["hash"]:
            sys.exit(f"entry {count} is not as it was hashed")
        previous = entry["hash"]
        found = count if head and previous == head.lower() else found
    if head and not found:
        sys.exit("no entry has the head " + head)
    place = f", entry {found} has the noted head" if head else ""
    print(f"{count} entries, head {previous}{place}")


main(*sys.argv[1:])
