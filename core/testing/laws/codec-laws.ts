import type { Codec } from '../../api/codec.ts';
import type { Check } from '../check.ts';
import { errorLaws } from './error-laws.ts';
import { caseLaws, presenceLaws } from './expectation-laws.ts';
import type { Recording } from '../recording.ts';
import { requestLaws, type RequestLawOptions } from './request-laws.ts';
import { responseLaws, type ResponseLawOptions } from './response-laws.ts';
import { streamLaws, type StreamLawOptions } from './stream-laws.ts';

export type CodecLawOptions = RequestLawOptions & ResponseLawOptions & StreamLawOptions;

/**
 * The laws of generation codecs, applied to canonical samples and to recordings of the wire. Recordings of other wires
 * are ignored. What is decoded of a recording is compared with its expectation, plain and streamed, for each split of
 * a stream.
 * @example for (const { name, run } of codecLaws(codec, loadRecordings(folder), { framing: ndjson })) test(name, run);
 */
export function codecLaws(
  codec: Codec<'generate'>,
  recordings: readonly Recording[],
  options: CodecLawOptions = {},
): Check[] {
  const own = recordings.filter(({ wire }) => wire === codec.wire);
  return [
    ...requestLaws(codec, own, options),
    ...responseLaws(codec, own, options),
    ...streamLaws(codec, own, options),
    ...errorLaws(codec, own),
    ...presenceLaws(codec, own),
    ...caseLaws(codec.wire, own),
  ];
}
