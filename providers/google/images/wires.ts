import type { EndpointWire } from '../../../core/api/index.ts';
import type { Classify } from '../../../core/api/codec.ts';
import { geminiImagesCodec } from './gemini.ts';
import { imagenCodec } from './imagen.ts';

/** Whether a model is one of Imagen, which has only `:predict`. */
export const isImagen = (model: string): boolean => /(?:^|\/)imagen/.test(model);
/** Whether a Gemini model makes images. */
const makesImages = (model: string): boolean => /-image\b/.test(model);

/** The wire on which a model of Google makes images; none if it makes none. */
export function listImageWires(
  model: string,
  addressOf: (method: string) => EndpointWire['buildRequest'],
  classify: Classify,
): readonly EndpointWire[] {
  const [codec, method] = isImagen(model)
    ? [imagenCodec, ':predict']
    : makesImages(model)
      ? [geminiImagesCodec, ':generateContent']
      : [];
  if (codec === undefined || method === undefined) return [];
  return [{ operation: codec.operation, wire: codec.wire, buildRequest: addressOf(method), classify }];
}
