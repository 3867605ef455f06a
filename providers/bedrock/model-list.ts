import type { OfferList, OfferPage, OfferedModel, Operation, UpstreamRequest } from '../../core/api/index.ts';
import { omitUndefined, readList, readObject, readObjects, readText } from '../../core/api/codec.ts';
import { authorize, type Authorization } from './address.ts';
import { readFamily } from './families.ts';

/** https://docs.aws.amazon.com/general/latest/gr/bedrock.html: models are listed by another host than they are called. */
const originOf = (region: string): string =>
  `https://bedrock.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;

const PROFILES = '/inference-profiles?maxResults=1000';
const FIRST_PROFILES = '';

const isText = (modality: unknown): boolean => modality === 'TEXT';

/** What the gateway does with a model. Models that rerank are listed with text as their output. */
const readOperations = (name: string, modalities: readonly unknown[]): readonly Operation[] => {
  const family = readFamily(name);
  if (family === 'rerank' || family === 'image') return [family];
  return modalities.some(isText) ? ['generate'] : [];
};

/** Models that are called by their own name; the others have inference profiles. */
const readModel = (model: Readonly<Record<string, unknown>>): readonly OfferedModel[] => {
  if (!readList(model['inferenceTypesSupported']).includes('ON_DEMAND')) return [];
  const name = readText(model['modelId']);
  const end = readText(readObject(model['modelLifecycle'])['endOfLifeTime']).slice(0, 10);
  const operations = readOperations(name, readList(model['outputModalities']));
  return [omitUndefined({ name, operations, ends: end || undefined })];
};

/**
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_ListFoundationModels.html,
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_ListInferenceProfiles.html
 */
function readModelPage(body: unknown): OfferPage {
  const { modelSummaries, inferenceProfileSummaries, nextToken } = readObject(body);
  if (modelSummaries !== undefined)
    return { models: readObjects(modelSummaries).flatMap(readModel), next: FIRST_PROFILES };
  return omitUndefined({
    models: readObjects(inferenceProfileSummaries).map((profile) => ({
      name: readText(profile['inferenceProfileId']),
    })),
    next: readText(nextToken) || undefined,
  });
}

const pathOf = (after: string | undefined): string => {
  if (after === undefined) return '/foundation-models';
  return after === FIRST_PROFILES ? PROFILES : `${PROFILES}&nextToken=${encodeURIComponent(after)}`;
};

/** The models of a region, then its inference profiles. */
export const createModelList = (region: string, authorization: Authorization): OfferList => {
  const send = authorize(authorization);
  return {
    buildRequest: ({ credential, after }): UpstreamRequest | Promise<UpstreamRequest> =>
      send(
        {
          method: 'GET',
          origin: originOf(region),
          path: pathOf(after),
          headers: { accept: 'application/json' },
          body: new Uint8Array(),
        },
        {},
        credential,
      ),
    read: readModelPage,
  };
};
