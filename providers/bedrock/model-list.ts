import type { OfferList, OfferPage, OfferedModel, UpstreamRequest } from '../../core/api/index.ts';
import { omitUndefined, readList, readObject, readObjects, readText } from '../../core/api/codec.ts';
import { authorize, type Authorization } from './address.ts';

/** https://docs.aws.amazon.com/general/latest/gr/bedrock.html: models are listed by another host than they are called. */
const originOf = (region: string): string =>
  `https://bedrock.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;

const PROFILES = '/inference-profiles?maxResults=1000';
const FIRST_PROFILES = '';

const isText = (modality: unknown): boolean => modality === 'TEXT';

/** Models that are called by their own name; the others have inference profiles. */
const readModel = (model: Readonly<Record<string, unknown>>): readonly OfferedModel[] => {
  if (!readList(model['inferenceTypesSupported']).includes('ON_DEMAND')) return [];
  const generates = readList(model['outputModalities']).some(isText);
  const end = readText(readObject(model['modelLifecycle'])['endOfLifeTime']).slice(0, 10);
  const operations = generates ? (['generate'] as const) : [];
  return [omitUndefined({ name: readText(model['modelId']), operations, ends: end || undefined })];
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
