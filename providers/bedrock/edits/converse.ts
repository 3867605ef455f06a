import type { JsonObject } from '../../../core/api/index.ts';
import { isObject, omitUndefined, type BodyEdit } from '../../../core/api/codec.ts';
import type { BedrockOptions } from '../schema.ts';

const guardrailOf = ({ guardrail }: BedrockOptions, stream: boolean): JsonObject | undefined =>
  guardrail === undefined
    ? undefined
    : omitUndefined({
        guardrailIdentifier: guardrail.id,
        guardrailVersion: guardrail.version,
        trace: guardrail.trace,
        streamProcessingMode: stream ? guardrail.stream : undefined,
      });

/** Nova has `topK` in an object: https://docs.aws.amazon.com/nova/latest/userguide/using-converse-api.html */
const moveTopK = (fields: unknown): readonly BodyEdit[] => {
  if (!isObject(fields) || fields['top_k'] === undefined) return [];
  const { top_k: topK, ...others } = fields;
  return [{ member: 'additionalModelRequestFields', value: { ...others, inferenceConfig: { topK } } }];
};

/** Adds the settings of the provider to a body of Converse. */
export const createConverseEdits =
  (options: BedrockOptions, isNova: boolean) =>
  (body: Readonly<JsonObject>, { stream }: { readonly stream: boolean }): readonly BodyEdit[] => {
    const { latency, serviceTier } = options;
    const members = {
      guardrailConfig: guardrailOf(options, stream),
      performanceConfig: latency === undefined ? undefined : { latency },
      serviceTier: serviceTier === undefined || 'serviceTier' in body ? undefined : { type: serviceTier },
    };
    return [
      ...Object.entries(members).flatMap(([member, value]) => (value === undefined ? [] : [{ member, value }])),
      ...(isNova ? moveTopK(body['additionalModelRequestFields']) : []),
    ];
  };
