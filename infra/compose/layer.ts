/** An experiment's addition to the project's image: built like the image itself, from a folder and by a Dockerfile. */
import { join } from 'node:path';

export interface ImageLayer {
  /** The folder that the Dockerfile copies from. */
  folder: string;
  /** The Dockerfile's arguments, by name. */
  arguments: Readonly<Record<string, string>>;
  /** Changes with all that the layer adds. */
  digest: string;
}

/** The digest of the layer that the image of this process has; null: it has none, or this is no image. */
export function layerHere(): string | null {
  return process.env.SCRIPTORIUM_LAYER || null;
}

/**
 * Arguments of `docker` to build the layer.
 *
 * @param options.root the project's folder
 * @param options.base the image that it goes onto
 * @param options.tag  the name of what comes out
 */
export function buildArguments(
  layer: ImageLayer,
  { root, base, tag }: { root: string; base: string; tag: string },
): string[] {
  const given = { ...layer.arguments, BASE: base, DIGEST: layer.digest };
  const named = Object.entries(given).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]);
  return ['build', '--file', join(root, 'infra/compose/layer.Dockerfile'), ...named, '--tag', tag, layer.folder];
}
