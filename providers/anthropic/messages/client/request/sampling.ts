import type { GenerateRequest } from '../../../../../core/api/index.ts';
import { type Members, type NumberRule, omitUndefined } from '../../../../../core/api/codec.ts';

/** Old clients send -1 for "not set", and the vendor accepts it. */
const readOptional = (body: Members, name: string, rule: NumberRule): number | undefined =>
  body.value(name) === -1 ? undefined : body.number(name, rule);

/** https://platform.claude.com/docs/en/api/messages/create */
export function decodeSampling(body: Members): Partial<GenerateRequest> {
  const temperature = body.number('temperature', { min: 0, max: 1 });
  const topP = readOptional(body, 'top_p', {});
  const topK = readOptional(body, 'top_k', { min: 0, integer: true });
  const stop = body.strings('stop_sequences');
  return omitUndefined({ temperature, topP, topK, stop: stop?.length === 0 ? undefined : stop });
}
