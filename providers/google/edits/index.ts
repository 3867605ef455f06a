import type { EndpointWire } from '../../../core/api/index.ts';
import { isGemma, readGeneration } from '../models.ts';
import type { Edit } from './edit.ts';
import { dropPenalties } from './penalties.ts';
import { moveResultMedia } from './result-media.ts';
import { addSignatures } from './signatures.ts';
import { moveInstruction } from './system-instruction.ts';

const selectEdit = (model: string): Edit | undefined => {
  if (isGemma(model)) return moveInstruction;
  const generation = readGeneration(model);
  if (generation === undefined) return undefined;
  if (generation >= 3) return addSignatures;
  return generation === 2.5
    ? (body, lose) => [...dropPenalties(body, lose), ...moveResultMedia(body, lose)]
    : moveResultMedia;
};

/** The deviations of a model. They are applied on both lanes, after all other edits. */
export function createEdits(model: string): Pick<EndpointWire, 'edits'> {
  const edit = selectEdit(model);
  return edit === undefined ? {} : { edits: (body, { lose }) => edit(body, lose) };
}
