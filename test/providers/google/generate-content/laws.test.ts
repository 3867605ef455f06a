import { codecLaws, type Recording } from '../../../../core/testing/index.ts';
import { generateContentCodec } from '../../../../providers/google/generate-content/index.ts';
import { NO_SIGNATURE } from '../../../../providers/google/generate-content/shape.ts';
import { simplifyGenerateContent } from '../../../core/testing/simplify.ts';
import { testLaws } from '../../../core/testing/test-laws.ts';
import { readCorpus } from './upstream/exchange.ts';
import { clientRulesOf } from '../../frame-rules.ts';

/** The laws cut every stream at every place: a share of the recordings keeps them quick. */
const files = { 'gemini-generate': 3, 'gemini-stream': 5 } as const;

/** Bytes in the letters of URLs are written in those of RFC 4648: the same bytes in another text. */
const hasOddBytes = (body: unknown): boolean => /"data":"[^"]*[-_]/.test(JSON.stringify(body) ?? '');

const recordings = Object.entries(files).flatMap(([file, share]) =>
  (readCorpus(file) ?? [])
    .filter((_recording, index) => index % share === 0)
    .map(({ id, request: { body }, response: { status, sse, body: answer } }): Recording => ({
      name: id,
      origin: `recorded from ${file}`,
      wire: 'generate-content',
      ...(typeof body === 'object' && body !== null && 'contents' in body && !hasOddBytes(body)
        ? { request: { body, model: 'gemini', stream: sse !== undefined } }
        : {}),
      response: { status, ...(sse === undefined ? { body: answer } : { text: sse }) },
      expected: 'unread',
    })),
);

/**
 * Members that are written differently: types of the wire's own dialect as JSON Schema, levels and modes in capitals,
 * and defaults.
 */
const defaults = [
  1,
  -1,
  '',
  'user',
  'text/plain',
  'OBJECT',
  'STRING',
  'INTEGER',
  'NUMBER',
  'BOOLEAN',
  'ARRAY',
  'none',
  'low',
  'medium',
  'high',
  Buffer.from(NO_SIGNATURE).toString('base64'),
] as const;

describe('laws of the generate-content codec', () => {
  if (recordings.length === 0) it('the codec laws hold over recorded traffic');
  const options = { ...clientRulesOf('generate-content'), simplify: simplifyGenerateContent, defaults };
  if (recordings.length > 0) testLaws(codecLaws(generateContentCodec, recordings, options));
});
