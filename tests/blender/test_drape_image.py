# SPDX-License-Identifier: GPL-3.0-or-later
"""Images with coordinates are draped over terrains, and lie where they should."""

from typing import Any, cast

import bpy
import numpy as np
import pytest

from terrain_addon.blender.live import rebuild
from terrain_addon.blender.mesh.signature import Signature
from terrain_addon.core import formats
from terrain_addon.core.elevation import Georeference, System, common_system
from terrain_addon.core.elevation.systems import wkt
from terrain_addon.core.formats import HeightRows
from terrain_addon.core.formats.png import PngWriter
from terrain_addon.core.numerics.srgb import encoded

UTM = System.coded(32632)
SLOPE = np.add.outer(np.arange(41.0), 2 * np.arange(51.0)).astype(np.float32)


def terrain(path):
    """The active terrain of a file, of 500 x 400 m."""
    place = Georeference((500_000.0, 5e6), (10.0, 0.0), (0.0, 10.0), UTM)
    formats.write(path, HeightRows(SLOPE.shape, [SLOPE], range=(0.0, 140.0), georeference=place))
    bpy.ops.terrain.add_elevation(directory=str(path.parent), files=[{"name": path.name}])
    return cast(Any, bpy.context.object)


def picture(path, system, step, counts=(300, 250)):
    """An image file about the terrain's middle with a world file; red and green tell its places."""
    columns, rows = counts
    x, y = map(float, common_system(UTM).to_lonlat(500_250.0, 5_000_200.0))
    x, y = map(float, common_system(system).from_lonlat(x, y))
    first = x - columns / 2 * step, y + rows / 2 * step
    image = bpy.data.images.new("source", columns, rows)
    j, i = np.mgrid[:rows, :columns].astype(np.float32)
    pixels = np.stack([i / columns, j / rows, (i // 10 + j // 10) % 2, np.ones_like(i)], axis=-1)
    cast(Any, image).pixels.foreach_set(pixels.astype(np.float32).ravel())
    image.filepath_raw, image.file_format = str(path), "PNG" if path.suffix == ".png" else "JPEG"
    image.save()
    bpy.data.images.remove(image)
    ending = f".{path.suffix[1]}{path.suffix[-1]}w"
    path.with_suffix(ending).write_text(f"{step}\n0\n0\n{-step}\n{first[0]}\n{first[1]}\n")
    path.with_suffix(".prj").write_text(wkt(system))
    return path, Georeference(
        (first[0], first[1] - (rows - 1) * step), (step, 0.0), (0.0, step), system
    )


def draped():
    """The image that the terrain shows, (rows, columns, 4), row 0 in the south."""
    material = cast(Any, bpy.context.object).data.materials[0]
    (node,) = (one for one in material.node_tree.nodes if one.type == "TEX_IMAGE")
    columns, rows = node.image.size
    pixels = np.empty(rows * columns * 4, np.float32)
    node.image.pixels.foreach_get(pixels)
    return node.image, pixels.reshape(rows, columns, 4)


@pytest.mark.parametrize(("code", "step"), [(32632, 1.9), (3857, 3.0), (4326, 2e-5)])
def test_an_image_lands_within_a_pixel(tmp_path, code, step):
    terrain(tmp_path / "t.tif")
    path, place = picture(tmp_path / "aerial.png", System.coded(code), step)
    assert bpy.ops.terrain.drape_image(filepath=str(path)) == {"FINISHED"}
    image, pixels = draped()
    rows, columns = pixels.shape[:2]
    assert image.packed_file and abs(columns - rows * 1.25) < 1
    j, i = np.mgrid[:rows, :columns]
    x, y = 500_000 + (i + 0.5) * 500 / columns, 5e6 + (j + 0.5) * 400 / rows
    x, y = common_system(place.system).from_lonlat(*common_system(UTM).to_lonlat(x, y))
    column, row = place.samples_at(cast(Any, x), cast(Any, y))
    inside = pixels[..., 3] > 0.5
    assert inside.mean() > 0.9
    off = (pixels[..., 0] * 300 - column)[inside], (pixels[..., 1] * 250 - row)[inside]
    assert max(np.abs(one).max() for one in off) < 1.5  # one pixel, and half of a 255th
    assert max(abs(float(one.mean())) for one in off) < 0.2


def test_the_uv_map_of_the_terrain_shows_it_from_border_to_border(tmp_path):
    item = terrain(tmp_path / "t.tif")
    path, _ = picture(tmp_path / "aerial.jpg", UTM, 2.0)
    bpy.ops.terrain.drape_image(filepath=str(path), resolution=100)
    image, _ = draped()
    assert tuple(image.size) == (100, 80)
    mesh = item.data
    (corner,) = (loop for loop in mesh.loops[:4] if loop.vertex_index == 0)
    assert tuple(mesh.uv_layers.active.data[corner.index].uv) == pytest.approx((0, 0), abs=1e-6)
    mesh.terrain.layers[0].height_map.exaggeration = 2.0
    assert draped()[0] == image  # a rebuild keeps it
    bpy.ops.terrain.drape_image(filepath=str(path), resolution=50)
    assert len([one for one in bpy.data.images if "aerial" in one.name]) == 1
    assert len([one for one in bpy.data.materials if "aerial" in one.name]) == 1


def test_an_image_of_the_whole_terrain_is_exported(tmp_path):
    terrain(tmp_path / "t.tif")
    path, _ = picture(tmp_path / "aerial.png", UTM, 2.0)
    bpy.ops.terrain.drape_image(filepath=str(path))
    bpy.ops.export_scene.gltf(filepath=str(tmp_path / "t.glb"), use_selection=True)
    assert b'"baseColorTexture"' in (tmp_path / "t.glb").read_bytes()


@pytest.mark.parametrize(
    ("system", "ending", "message"),
    [
        (System.coded(27700), None, "gdalwarp -t_srs"),
        (UTM, ".pgw", "does not say where it lies: put a world file beside it, .*pgw"),
    ],
)
def test_images_that_cannot_lie_anywhere_are_refused(tmp_path, system, ending, message):
    item = terrain(tmp_path / "t.tif")
    before = item.data.materials[0]
    path, _ = picture(tmp_path / "aerial.png", UTM, 2.0)
    path.with_suffix(".prj").write_text(wkt(system))
    if ending:
        path.with_suffix(ending).unlink()
    count = len(bpy.data.images)
    with pytest.raises(RuntimeError, match=message):
        bpy.ops.terrain.drape_image(filepath=str(path))
    assert item.data.materials[0] == before and len(bpy.data.images) == count


def test_a_terrain_without_a_place_is_refused(tmp_path):
    path, _ = picture(tmp_path / "aerial.png", UTM, 2.0)
    bpy.ops.terrain.add(preset="crater_field", resolution=33)
    with pytest.raises(RuntimeError, match="The terrain does not say where it lies"):
        bpy.ops.terrain.drape_image(filepath=str(path))
    (tmp_path / "broken.png").write_bytes(b"no")
    terrain(tmp_path / "t.tif")
    with pytest.raises(RuntimeError, match="no image that Blender reads"):
        bpy.ops.terrain.drape_image(filepath=str(tmp_path / "broken.png"))


def colors_of(mesh):
    """The colors of the points of a terrain, (rows, columns, 3), row 0 in the south."""
    values = np.empty(len(mesh.vertices) * 4, np.float32)
    mesh.attributes["Color"].data.foreach_get("color", values)
    built = Signature.built(mesh.terrain)
    return values.reshape(built.ny, built.nx, 4)[..., :3]


def test_colors_of_the_mesh_and_of_bakes_are_those_of_the_image(tmp_path):
    item = terrain(tmp_path / "t.tif")
    path, _ = picture(tmp_path / "aerial.png", UTM, 2.0)
    bpy.ops.terrain.drape_image(filepath=str(path))
    image, pixels = draped()
    assert item.data.terrain.palette.image == image.name
    rebuild.finish()
    colors = colors_of(item.data)
    rows, columns = pixels.shape[:2]
    inner = (slice(1, -1), slice(1, -1))  # points at the border have the mean of half a cell
    j, i = (one[inner] for one in np.mgrid[: colors.shape[0], : colors.shape[1]])
    row = np.rint(j / (colors.shape[0] - 1) * rows - 0.5).astype(int)
    column = np.rint(i / (colors.shape[1] - 1) * columns - 0.5).astype(int)
    shown = pixels[..., 0].astype(np.float64) * 300  # the column in the file
    red = encoded(colors[inner][..., 0].astype(np.float64)) * 300
    assert np.abs(red - shown[row, column]).max() < 1.5
    bpy.ops.terrain.bake(image="color", width=columns, height=rows)
    baked: Any = next(one for one in bpy.data.images if "Color" in one.name)
    values = np.empty(baked.size[0] * baked.size[1] * 4, np.float32)
    baked.pixels.foreach_get(values)
    values = values.reshape(rows, columns, 4)[..., 0]
    assert np.abs(encoded(values.astype(np.float64)) * 300 - shown).max() < 1.5


def test_images_of_16_bits_keep_their_brightness(tmp_path):
    terrain(tmp_path / "t.tif")
    path, _ = picture(tmp_path / "aerial.png", UTM, 2.0)
    with path.open("wb") as file:
        writer = PngWriter(file, (250, 300, 3), 16)
        writer.write(np.full((250, 300, 3), 65535 * 0.3, np.uint16))
        writer.finish()
    bpy.ops.terrain.drape_image(filepath=str(path))
    assert draped()[1][..., :3] == pytest.approx(0.3, abs=0.01)


def test_a_missing_image_is_named_and_the_old_colors_stay(tmp_path):
    item = terrain(tmp_path / "t.tif")
    path, _ = picture(tmp_path / "aerial.png", UTM, 2.0)
    bpy.ops.terrain.drape_image(filepath=str(path))
    rebuild.finish()
    before = colors_of(item.data)
    bpy.data.images.remove(draped()[0])
    item.data.terrain.palette.blend = 0.1
    rebuild.finish()
    assert "which is not there" in rebuild.error_of(item.data)
    assert np.array_equal(colors_of(item.data), before)
    item.data.terrain.palette.image = ""
    rebuild.finish()
    assert not rebuild.error_of(item.data)
    assert not np.array_equal(colors_of(item.data), before)


def test_new_pixels_of_the_image_are_read(tmp_path):
    item = terrain(tmp_path / "t.tif")
    image: Any = bpy.data.images.new("Aerial", 8, 8)
    item.data.terrain.palette.image = "Aerial"
    for level in (0.25, 0.75):
        image.pixels[:] = (level, 0.0, 0.0, 1.0) * 64
        bpy.ops.terrain.rebuild()
        red = encoded(colors_of(item.data)[..., 0].astype(np.float64))
        assert np.abs(red - level).max() < 0.003
    bpy.ops.terrain.palette_load(name="alpine")
    assert item.data.terrain.palette.image == "Aerial"
