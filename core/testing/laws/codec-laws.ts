import type { Codec } from '../../index.ts';
import type { Check } from '../check.ts';
import { errorLaws } from './error-laws.ts';
import type { Recording } from '../recording.ts';
import { requestLaws, type RequestLawOptions } from './request-laws.ts';
import { responseLaws, type ResponseLawOptions } from './response-laws.ts';
import { streamLaws } from './stream-laws.ts';

export type CodecLawOptions = RequestLawOptions & ResponseLawOptions;

/**
 * The laws that every codec of generation is held to, ours and third parties', applied to samples of the canonical form and to recordings of its wire.
 * Recordings of other wires are left out.
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
  ];
}
