/** What content is called at its source. */
export interface SourceName {
  /** With its ending. */
  readonly path: string;
  /** That of the suffix, without the `?`. */
  readonly query: string;
  readonly isPage: boolean;
}

/**
 * What a content path is called at its source (docs/contract.md 3.5). A page has the suffix of the source; what has the ending of a file is called
 * as it is named, by its content path or else by the public path. In: a content path that is behind the public path, that public path, and the suffix.
 */
export function sourceName(content: string, publicPath: string, suffix = DEFAULT_SUFFIX): SourceName {
  const named = endingOf(content);
  if (named !== undefined) return { path: content, query: '', isPage: /^html?$/i.test(named) };
  const asked = endingOf(publicPath);
  if (asked !== undefined && !/^html?$/i.test(asked)) return { path: `${content}.${asked}`, query: '', isPage: false };
  const [ending = '', ...query] = suffix.split('?');
  return { path: `${content}${ending}`, query: query.join('?'), isPage: true };
}

/** Whether a public path asks for a page, or a part of one. */
export function isPagePath(path: string): boolean {
  return /^(?:html?)?$/i.test(endingOf(path) ?? '');
}

/** The ending of a file; undefined where the name is that of a page, which may have dots ("release-2.0"). As it is written. */
function endingOf(path: string): string | undefined {
  const ending = /\.([a-z0-9]{1,12})$/i.exec(path)?.[1];
  return ending !== undefined && FILE_ENDINGS.has(ending.toLowerCase()) ? ending : undefined;
}

const DEFAULT_SUFFIX = '.html';
const FILE_ENDINGS: ReadonlySet<string> = new Set(
  [
    'html htm css js mjs cjs json jsonld geojson map webmanifest xml rss atom xsl xsd txt md csv tsv yaml yml ics vcf vtt srt',
    'svg svgz png jpg jpeg jfif gif webp avif heic heif jxl bmp tif tiff ico cur apng eps psd',
    'woff woff2 ttf otf eot',
    'mp4 m4v mov webm ogv avi mkv mp3 m4a ogg oga wav flac aac m3u8 mpd',
    'pdf doc docx dot dotx xls xlsx xlsm ppt pptx pps ppsx odt ods odp rtf epub',
    'wasm zip gz tgz tar 7z rar bin exe dmg pkg msi apk jar',
    'glb gltf usdz obj stl kml kmz gpx',
  ].flatMap((line) => line.split(' ')),
);
