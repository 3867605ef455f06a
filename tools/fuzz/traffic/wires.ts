import { bodyOf, framesOf as interactionFrames } from '../../../test/matrix/interactions/convert.ts';
import { framesOf, textOf, type VendorAnswers } from '../../../test/matrix/vendors/vendors.ts';
import { someTokens, wireNames, wires, type Mode } from '../../../test/matrix/wires.ts';

/** The wires of the matrix, and Google's newer one, whose bodies are converted. */
export const fuzzWires = [...wires, 'interactions'] as const;
export type FuzzWire = (typeof fuzzWires)[number];

export const wireNameOf = (wire: FuzzWire): string => (wire === 'interactions' ? wire : wireNames[wire]);

/** The frames of a streamed response, as the vendor of the wire sends it. */
export const vendorFrames = (wire: FuzzWire, answers: VendorAnswers): readonly string[] =>
  wire === 'interactions' ? interactionFrames(answers.google, someTokens) : framesOf(wire, answers);

/** The response in this mode, as the vendor of the wire sends it. */
export const vendorText = (wire: FuzzWire, mode: Mode, answers: VendorAnswers): string => {
  if (wire !== 'interactions') return textOf(wire, mode, answers);
  return mode === 'plain' ? bodyOf(answers.google, someTokens) : vendorFrames(wire, answers).join('');
};
