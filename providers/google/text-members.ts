import { defineTextMembers, type TextMeaning } from '../../core/api/codec.ts';

const toSnake = (path: string): string => path.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const meanings: Readonly<Record<string, TextMeaning>> = {
  '.labels': 'data',
  'generateContentRequest.labels': 'data',
  'functionCall.args': 'data',
  'functionResponse.response': 'data',
  'inlineData.data': 'bytes',
  'blob.data': 'bytes',
  'fileData.fileUri': 'link',
  'cachedContent': 'reference',
  'thoughtSignature': 'encrypted',
  'functionCall.name': 'word',
  'functionResponse.name': 'word',
  'functionDeclarations.name': 'word',
  'allowedFunctionNames': 'word',
  'mimeType': 'word',
  'category': 'word',
  'threshold': 'word',
  'mode': 'word',
  'responseMimeType': 'word',
  'responseModalities': 'word',
  'thinkingLevel': 'word',
  'mediaResolution': 'word',
  'serviceTier': 'word',
  'voiceName': 'word',
  'languageCode': 'word',
  'behavior': 'word',
  'scheduling': 'word',
  'propertyOrdering': 'word',
  'language': 'word',
  'outcome': 'word',
  'taskType': 'word',
};

/**
 * What the strings of requests are, in both spellings that the vendor accepts:
 * https://ai.google.dev/api/generate-content
 */
export const textMembers = defineTextMembers({
  ...meanings,
  ...Object.fromEntries(Object.entries(meanings).map(([path, meaning]) => [toSnake(path), meaning])),
});
