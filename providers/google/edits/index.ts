import type { EndpointWire } from '../../../core/api/index.ts';
import { isGemma, readGeneration } from '../models.ts';
import type { Edit } from './edit.ts';
import { dropPenalties } from './penalties.ts';
import { moveResultMedia } from './result-media.ts';
import { addSignatures } from './signatures.ts';
import { moveInstruction } from './system-instruction.ts';

const selectEdit = (model: string, refusesPenalties: boolean): Edit | undefined => {
  if (isGemma(model)) return moveInstruction;
  const generation = readGeneration(model);
  if (generation === undefined) return undefined;
  if (generation >= 3) return addSignatures;
  return generation === 2.5 && refusesPenalties
    ? (body, lose) => [...dropPenalties(body, lose), ...moveResultMedia(body, lose)]
    : moveResultMedia;
};

/**
 * The deviations of a model. They are applied on both lanes, after all other edits.
 * @param refusesPenalties the server rejects penalties for Gemini 2.5: the Gemini API does, Vertex AI does not
 */
export function createEdits(model: string, refusesPenalties = true): Pick<EndpointWire, 'edits'> {
  const edit = selectEdit(model, refusesPenalties);
  return edit === undefined ? {} : { edits: (body, { lose }) => edit(body, lose) };
}
