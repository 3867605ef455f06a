import { test } from 'node:test';
import { join } from 'node:path';
import { codecLaws, loadRecordings } from 'koine-gateway/testing';
import { ollamaChat } from './index.ts';

for (const { name, run } of codecLaws(ollamaChat, loadRecordings(join(import.meta.dirname, 'recordings'))))
  test(name, run);
