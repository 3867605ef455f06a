import { defineReferences, defineSpelling, defineTextMembers } from '../../../../core/api/codec.ts';
import { routingMembers } from '../../routing-members.ts';

export const spelling = defineSpelling({
  model: true,
  prompt: true,
  n: true,
  size: true,
  quality: true,
  stream: true,
  images: true,
  image: true,
  mask: true,
  ...routingMembers,
});

/** What the strings of requests are: https://platform.openai.com/docs/api-reference/images/create */
export const textMembers = defineTextMembers({
  'size': 'word',
  'quality': 'word',
  'background': 'word',
  'moderation': 'word',
  'output_format': 'word',
  'response_format': 'word',
  'style': 'word',
  'user': 'word',
  'safety_identifier': 'word',
  'image_url': 'bytes',
  'image.filename': 'word',
  'image[].filename': 'word',
  'mask.filename': 'word',
  'file_id': 'word',
  'models': 'word',
  'fallbacks': 'word',
});

/** Images to edit that the vendor stores as files. */
export const references = defineReferences({ 'images.file_id': true, 'mask.file_id': true });
