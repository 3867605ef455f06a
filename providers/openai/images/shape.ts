import type { FormRules } from '../../../core/api/codec.ts';

/** The wire of `POST /v1/images/generations`: https://platform.openai.com/docs/api-reference/images/create */
export const WIRE = 'image-generations';
/** The wire of `POST /v1/images/edits`: https://platform.openai.com/docs/api-reference/images/createEdit */
export const EDITS_WIRE = 'image-edits';
/** The wire of `POST /v1/images/variations`: https://platform.openai.com/docs/api-reference/images/createVariation */
export const VARIATIONS_WIRE = 'image-variations';

/** How many images a stream has before the one that is complete: 0 to 3. */
export const PARTIAL_IMAGES = 'partial_images';

/** One of the three. */
export type ImagesWire = typeof WIRE | typeof EDITS_WIRE | typeof VARIATIONS_WIRE;

/** The forms of the wires that have one. SDKs send several images as `image[]`. Edits have a form in JSON too. */
export const forms: Readonly<Partial<Record<ImagesWire, FormRules>>> = {
  [EDITS_WIRE]: { files: { 'image': 'image', 'image[]': 'image', 'mask': 'image' }, orJson: true },
  [VARIATIONS_WIRE]: { files: { image: 'image' } },
};
