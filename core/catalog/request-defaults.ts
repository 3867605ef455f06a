import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import type { GenerateRequest, Reasoning } from '../canonical/request.ts';
import type { JsonObject } from '../canonical/wire.ts';
import type { WrittenDefaults } from '../config/defaults-config.ts';

/** The fields of a request that a model can have a default of. */
export type DefaultFields = Pick<
  GenerateRequest,
  'maxTokens' | 'temperature' | 'topP' | 'topK' | 'seed' | 'presencePenalty' | 'frequencyPenalty' | 'stop'
>;

/** What a model sets in requests that do not set it (`defaults`). */
export interface RequestDefaults {
  readonly fields: DefaultFields;
  readonly reasoning?: Reasoning;
  /** Members of the body that the target gets. */
  readonly body: Readonly<JsonObject>;
  /** As they are written in the file. */
  readonly written: WrittenDefaults;
}

/** The defaults of a model as they are written in its entry. */
export function readDefaults(written: WrittenDefaults): RequestDefaults {
  const { reasoning, body = {}, ...fields } = written;
  return omitUndefined({
    written,
    fields: omitUndefined<DefaultFields>({
      maxTokens: fields.max_tokens,
      temperature: fields.temperature,
      topP: fields.top_p,
      topK: fields.top_k,
      seed: fields.seed,
      presencePenalty: fields.presence_penalty,
      frequencyPenalty: fields.frequency_penalty,
      stop: fields.stop,
    }),
    reasoning,
    body,
  });
}

const isSet = (reasoning: Reasoning | undefined): boolean => (reasoning?.effort ?? reasoning?.budget) !== undefined;

/** The defaults for what the request does not set; undefined if it sets everything. */
export function listMissing(
  request: GenerateRequest,
  { fields, reasoning }: RequestDefaults,
): Partial<GenerateRequest> | undefined {
  const missing: Partial<GenerateRequest> = Object.fromEntries(
    Object.entries(fields).filter(([field]) => request[field as keyof DefaultFields] === undefined),
  );
  if (reasoning !== undefined && !isSet(request.reasoning))
    return { ...missing, reasoning: { ...request.reasoning, ...reasoning } };
  return Object.keys(missing).length === 0 ? undefined : missing;
}
