"""Prints the rows of the Parquet files of a bucket as JSON lines, read by pyarrow.

Arguments: the address of the service, the bucket, the access key and its secret. Each line has the name of the object,
the row with times in Unix milliseconds, and the types of the columns.
"""

import io
import json
import os
import sys
from datetime import datetime, timezone

import boto3
import pyarrow.parquet as parquet

endpoint, bucket, key, secret = sys.argv[1:]
client = boto3.client(
    "s3",
    endpoint_url=endpoint,
    region_name="us-east-1",
    aws_access_key_id=key,
    aws_secret_access_key=secret,
)


def write(value):
    if isinstance(value, datetime):
        return round(value.replace(tzinfo=timezone.utc).timestamp() * 1000)
    raise TypeError(type(value))


for item in client.list_objects_v2(Bucket=bucket).get("Contents", []):
    name = item["Key"]
    content = client.get_object(Bucket=bucket, Key=name)["Body"].read()
    if not name.endswith(".parquet"):
        print(json.dumps({"name": name, "size": len(content)}))
        continue
    table = parquet.read_table(io.BytesIO(content))
    types = {field.name: str(field.type) for field in table.schema}
    for row in table.to_pylist():
        print(json.dumps({"name": name, "row": row, "types": types}, default=write))

# The threads of pyarrow can abort an interpreter that ends in the usual way.
sys.stdout.flush()
os._exit(0)
