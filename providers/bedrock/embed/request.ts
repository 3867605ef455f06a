import type { EmbedRequest, JsonObject } from '../../../core/api/index.ts';
import { omitUndefined, writeExtraMembers, type Lose, type TargetProfile } from '../../../core/api/codec.ts';
import { requireTexts } from '../../../core/api/internal.ts';

const DEFAULT_TYPE = 'search_document';

interface Embedded {
  readonly texts: readonly string[];
  readonly dimensions: number | undefined;
  readonly model: string;
  readonly lose: Lose;
}

/** The text of a request for a model that embeds one in each call (`maxInputs` of the endpoint). */
const readOnlyText = ({ texts: [text = ''] }: Embedded): string => text;

const encodeTitan = (request: Embedded): JsonObject => {
  const { dimensions, model, lose } = request;
  const isFixed = model.includes('titan-embed-text-v1');
  if (isFixed && dimensions !== undefined) lose('dimensions', 'dropped', 'the vectors of Titan v1 have one length');
  return omitUndefined({ inputText: readOnlyText(request), dimensions: isFixed ? undefined : dimensions });
};

const encodeNova = (request: Embedded): JsonObject => ({
  taskType: 'SINGLE_EMBEDDING',
  singleEmbeddingParams: omitUndefined({
    embeddingPurpose: 'GENERIC_INDEX',
    embeddingDimension: request.dimensions,
    text: { truncationMode: 'NONE', value: readOnlyText(request) },
  }),
});

/** A text that is too long is an error (`NONE`), as on the wires of clients. */
const encodeCohere = ({ texts, dimensions, lose }: Embedded, type: unknown): JsonObject => {
  if (type === undefined) lose('input_type', 'injected', `'${DEFAULT_TYPE}': the vendor requires the member`);
  return omitUndefined({ texts, output_dimension: dimensions, truncate: 'NONE', input_type: type ?? DEFAULT_TYPE });
};

/** The body for the maker of the model. @throws GatewayError `unsupported_parameter` */
export function encodeRequest(embed: EmbedRequest, { model }: TargetProfile, lose: Lose) {
  const { dimensions, extra } = embed;
  const request = { texts: requireTexts(embed), dimensions, model, lose };
  const { input_type: type, ...others } = extra.members;
  const isCohere = model.includes('cohere.');
  writeExtraMembers({ ...extra, members: isCohere ? others : extra.members }, 'bedrock-embed', lose);
  if (isCohere) return { body: encodeCohere(request, type), headers: {} };
  return { body: model.includes('amazon.nova') ? encodeNova(request) : encodeTitan(request), headers: {} };
}
