import { test } from 'node:test';
import { join } from 'node:path';
import { ndjson } from 'koine-gateway/codec';
import { codecLaws, loadRecordings } from 'koine-gateway/testing';
import { codec } from './index.ts';

const recordings = loadRecordings(join(import.meta.dirname, 'recordings'));
for (const { name, run } of codecLaws(codec, recordings, { framing: ndjson })) test(name, run);
