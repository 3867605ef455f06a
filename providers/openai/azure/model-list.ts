import type { OfferPage, OfferedModel, Operation } from '../../../core/api/index.ts';
import { omitUndefined, readObject, readObjects, readText } from '../../../core/api/codec.ts';

const readOperations = (capabilities: Readonly<Record<string, unknown>>): readonly Operation[] => {
  if (capabilities['chat_completion'] === true) return ['generate'];
  return capabilities['embeddings'] === true ? ['embed'] : [];
};

/** A time in Unix seconds as a date. */
const readDate = (seconds: unknown): string | undefined =>
  typeof seconds === 'number' ? new Date(seconds * 1_000).toISOString().slice(0, 10) : undefined;

/**
 * The models that the resource can deploy. Its deployments are listed by Azure Resource Manager only.
 * https://learn.microsoft.com/rest/api/azureopenai/models/list
 */
export const readModelPage = (body: unknown): OfferPage => ({
  models: readObjects(readObject(body)['data']).map((model): OfferedModel =>
    omitUndefined({
      name: readText(model['id']),
      operations: readOperations(readObject(model['capabilities'])),
      ends: readDate(readObject(model['deprecation'])['inference']),
    }),
  ),
});
