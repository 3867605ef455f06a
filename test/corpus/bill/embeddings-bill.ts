import { bodiesOf, countOf, objectOf, type Bill } from './bill.ts';

/** https://platform.openai.com/docs/api-reference/embeddings/create */
export const readEmbeddingsBill = (text: string): readonly Bill[] =>
  bodiesOf(text).flatMap(({ usage }) => {
    const { prompt_tokens: input } = objectOf(usage);
    return input === undefined ? [] : [{ counts: { input: countOf(input) } }];
  });

/** https://ai.google.dev/api/embeddings */
export const readEmbedContentBill = (text: string): readonly Bill[] =>
  bodiesOf(text).flatMap(({ usageMetadata }) => {
    const { promptTokenCount: input } = objectOf(usageMetadata);
    return input === undefined ? [] : [{ counts: { input: countOf(input) } }];
  });
