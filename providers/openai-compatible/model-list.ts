import type { JsonObject, OfferPage, OfferedModel, Operation } from '../../core/api/index.ts';
import { lookUp, omitUndefined, readObject, readObjects, readText } from '../../core/api/codec.ts';

/** By the `type` of a model (Together). Others are not for operations of the gateway. */
const operations: Readonly<Record<string, readonly Operation[]>> = {
  chat: ['generate'],
  language: ['generate'],
  code: ['generate'],
  rerank: ['rerank'],
  image: ['image'],
  moderation: ['moderate'],
  embedding: ['embed'],
  embeddings: ['embed'],
};

/** The first of the values that is a number of tokens. */
const readTokens = (...values: readonly unknown[]): number | undefined =>
  values.find((value): value is number => typeof value === 'number' && value > 0);

/** Groq lists models that are off. */
const isOn = ({ active }: JsonObject): boolean => active !== false;

/** The context is `context_length` (OpenRouter, Together), `context_window` (Groq) or `max_model_len` (vLLM). */
const readModel = (model: JsonObject): OfferedModel => {
  const type = readText(model['type']);
  return omitUndefined({
    name: readText(model['id']),
    operations: type === '' || type === 'model' ? undefined : (lookUp(operations, type) ?? []),
    contextTokens: readTokens(
      model['context_length'],
      model['context_window'],
      model['max_model_len'],
      model['max_context_length'],
    ),
    maxOutput: readTokens(
      model['max_completion_tokens'],
      model['max_output_tokens'],
      readObject(model['top_provider'])['max_completion_tokens'],
    ),
  });
};

/** The list of OpenAI's wire, or a list without an object around it (Together). */
export const readModelPage = (body: unknown): OfferPage => ({
  models: readObjects(Array.isArray(body) ? body : readObject(body)['data'])
    .filter(isOn)
    .map(readModel),
});
