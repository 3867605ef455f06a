import { useEffect, useState } from 'preact/hooks';

/** Further series are drawn as one. */
export const MAX_SERIES = 6;

/** @param {string} name of a CSS variable, without its dashes */
export const readColor = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** The CSS class and variable of the n-th series, in charts and legends. @param {number} index */
export const nameSeriesColor = (index) => `series-${index % (MAX_SERIES + 1)}`;

/** Rerenders when the color scheme changes: a canvas must be redrawn then. */
export const useTheme = () => {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const [theme, setTheme] = useState(dark.matches ? 'dark' : 'light');
  useEffect(() => {
    const update = () => setTheme(dark.matches ? 'dark' : 'light');
    dark.addEventListener('change', update);
    return () => dark.removeEventListener('change', update);
  }, []);
  return theme;
};
