import type { OfferPage, OfferedModel, Operation } from '../../core/api/index.ts';
import { omitUndefined, readObject, readObjects, readText } from '../../core/api/codec.ts';

const readOperations = (name: string, chats: unknown): readonly Operation[] => {
  if (chats === true) return ['generate'];
  if (name.includes('moderation')) return ['moderate'];
  if (name.includes('transcribe')) return ['transcribe'];
  return name.includes('embed') ? ['embed'] : [];
};

/** https://docs.mistral.ai/api/endpoint/models */
export const readModelPage = (body: unknown): OfferPage => ({
  models: readObjects(readObject(body)['data']).map((model): OfferedModel => {
    const name = readText(model['id']);
    const context = model['max_context_length'];
    return omitUndefined({
      name,
      operations: readOperations(name, readObject(model['capabilities'])['completion_chat']),
      contextTokens: typeof context === 'number' ? context : undefined,
      ends: readText(model['deprecation']).slice(0, 10) || undefined,
    });
  }),
});
