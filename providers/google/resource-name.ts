/** A model as paths and bodies name it: with its collection (`tunedModels/…`), which is `models` where it says none. */
export const resourceName = (model: string): string =>
  /^(?:models|tunedModels)\//.test(model) ? model : `models/${model}`;
