"""conforms.py SCHEMA FILE...: says what in the files does not conform to the schema."""

import json
import sys

import jsonschema

schema = json.load(open(sys.argv[1], encoding="utf-8"))
validator = jsonschema.Draft202012Validator
validator.check_schema(schema)
complaints = 0
for path in sys.argv[2:]:
    for error in validator(schema).iter_errors(json.load(open(path, encoding="utf-8"))):
        print(f"{path}: /{'/'.join(map(str, error.absolute_path))}: {error.message[:300]}")
        complaints += 1
sys.exit(1 if complaints else 0)
