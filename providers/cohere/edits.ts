import type { EndpointWire } from '../../core/api/index.ts';
import type { BodyEdit } from '../../core/api/codec.ts';
import type { CohereOptions } from './schema.ts';

/** Adds the settings of the configuration to each request. Undefined: there are none. */
export function createEdits({ safetyMode, citations }: CohereOptions): EndpointWire['edits'] {
  if (safetyMode === undefined && citations === undefined) return undefined;
  const cited: readonly BodyEdit[] =
    citations === undefined ? [] : [{ member: 'citation_options', value: { mode: citations } }];
  // The vendor refuses a safety mode together with tools.
  const safe: readonly BodyEdit[] =
    safetyMode === undefined ? cited : [...cited, { member: 'safety_mode', value: safetyMode }];
  return ({ tools }) => (tools === undefined ? safe : cited);
}
