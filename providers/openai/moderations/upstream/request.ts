import type { JsonObject, ModerateRequest } from '../../../../core/api/index.ts';
import { omitUndefined, writeExtraMembers, type UpstreamSide } from '../../../../core/api/codec.ts';
import { unsupported } from '../../request-members.ts';
import { writeMediaUrl } from '../../chat-completions/media.ts';
import { WIRE } from '../shape.ts';

type Content = ModerateRequest['contents'][number];

const encodePart = (part: Content[number]): JsonObject => {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const url = writeMediaUrl(part.media);
  if (url === undefined) throw unsupported('input', 'Moderations takes images by address or as bytes.');
  return { type: 'image_url', image_url: omitUndefined({ url, detail: part.detail }) };
};

const textOf = (content: Content): string | undefined => {
  const [part, ...others] = content;
  return part?.type === 'text' && others.length === 0 ? part.text : undefined;
};

/** @throws GatewayError `unsupported_parameter` for several contents that are no plain texts */
const encodeInput = (contents: ModerateRequest['contents']): unknown => {
  const texts = contents.map(textOf).filter((text) => text !== undefined);
  const [content = []] = contents;
  if (contents.length === 1) return texts[0] ?? content.map(encodePart);
  if (texts.length === contents.length) return texts;
  throw unsupported('input', 'Moderations classifies one content with images in a request.');
};

/** @throws GatewayError `unsupported_parameter` that names the member */
export const encodeRequest: UpstreamSide<'moderate'>['encodeRequest'] = ({ contents, extra }, { model }, lose) => ({
  body: { model, input: encodeInput(contents), ...writeExtraMembers(extra, WIRE, lose) },
  headers: {},
});
