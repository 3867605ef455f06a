/** The resource name of a model in paths and bodies: with its collection (`tunedModels/…`), `models` by default. */
export const resourceName = (model: string): string =>
  /^(?:models|tunedModels)\//.test(model) ? model : `models/${model}`;
