import type { Members } from '../../../../../core/api/codec.ts';

/** Sampling parameters, within the limits of this gateway. */
export const decodeSampling = (body: Members) => ({
  maxTokens: body.number('max_output_tokens', { integer: true, min: 1 }),
  temperature: body.number('temperature', { min: 0, max: 2 }),
  topP: body.number('top_p'),
});
