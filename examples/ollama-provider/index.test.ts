import { test } from 'node:test';
import { join } from 'node:path';
import { ndjson } from 'koine-gateway';
import { codecLaws, loadRecordings } from 'koine-gateway/testing';
import { ollamaChat } from './index.ts';

const recordings = loadRecordings(join(import.meta.dirname, 'recordings'));
for (const { name, run } of codecLaws(ollamaChat, recordings, { framing: ndjson })) test(name, run);
