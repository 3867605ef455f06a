import { bodiesOf, countOf, listOf, objectOf, type Bill } from './bill.ts';

/** https://platform.openai.com/docs/api-reference/embeddings/create */
export const readEmbeddingsBill = (text: string): readonly Bill[] =>
  bodiesOf(text).flatMap(({ usage }) => {
    const { prompt_tokens: input } = objectOf(usage);
    return input === undefined ? [] : [{ counts: { input: countOf(input) } }];
  });

/** https://ai.google.dev/api/embeddings */
export const readEmbedContentBill = (text: string): readonly Bill[] =>
  bodiesOf(text).flatMap(({ usageMetadata }) => {
    const { promptTokenCount: input, promptTokenDetails: details } = objectOf(usageMetadata);
    if (input === undefined) return [];
    const image = listOf(details).find(({ modality }) => modality === 'IMAGE')?.['tokenCount'];
    return [{ counts: { input: countOf(input) - countOf(image), inputImage: countOf(image) } }];
  });
