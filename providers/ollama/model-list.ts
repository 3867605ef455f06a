import type { OfferPage } from '../../core/api/index.ts';
import { readObject, readObjects, readText } from '../../core/api/codec.ts';

/** The models of the server, without the tag that is the default: https://docs.ollama.com/api/tags */
export const readModelPage = (body: unknown): OfferPage => ({
  models: readObjects(readObject(body)['models']).map(({ name }) => ({ name: readText(name).replace(/:latest$/, '') })),
});
