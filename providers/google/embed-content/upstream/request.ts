import type { EmbedRequest, JsonObject } from '../../../../core/api/index.ts';
import { writeExtraMembers, type Lose, type TargetProfile } from '../../../../core/api/codec.ts';
import { requireTexts } from '../../../../core/api/internal.ts';
import { resourceName } from '../../models.ts';
import { splitByPath } from '../../generate-content/extra-members.ts';
import { splitBatchExtra, type Kept } from '../extra-members.ts';
import { WIRE } from '../shape.ts';
import { isSingle } from '../single.ts';

/** The extra members of a content. Those of its parts are lost, since the parts are written as one. */
const splitContentExtra = (members: JsonObject, lose: Lose) => {
  const { inside, others } = splitByPath(members, 'content');
  const content = Object.entries(inside).filter(([name]) => {
    const isInPart = name.startsWith('parts[');
    if (isInPart) lose(`content.${name}`, 'dropped', 'the parts of a content are written as one');
    return !isInPart;
  });
  return { content: Object.fromEntries(content), own: others };
};

/** The extra members of a single request belong to its only content. */
const splitTurnExtra = (request: EmbedRequest, members: Readonly<JsonObject>): Kept =>
  isSingle(request) ? { body: {}, of: () => members } : splitBatchExtra(members);

/**
 * Encodes a batch, which can have one content: https://ai.google.dev/api/embeddings#method:-models.batchembedcontents
 */
export function encodeRequest(request: EmbedRequest, { model }: TargetProfile, lose: Lose) {
  const { begin = 0, dimensions, extra } = request;
  const kept = splitTurnExtra(request, writeExtraMembers(extra, WIRE, lose));
  const requests = requireTexts(request).map((text, index) => {
    const { content, own } = splitContentExtra(kept.of(begin + index), lose);
    return {
      model: resourceName(model),
      content: { ...content, parts: [{ text }] },
      ...own,
      ...(dimensions === undefined ? {} : { outputDimensionality: dimensions }),
    };
  });
  return { body: { ...kept.body, requests }, headers: {} };
}
