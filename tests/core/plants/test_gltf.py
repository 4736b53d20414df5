# SPDX-License-Identifier: GPL-3.0-or-later
"""Instances in glTF, read back from their bytes."""

import json
import struct

import numpy as np

from terrain_addon.core.plants import Box, grow, write_glb
from tests.core.plants.even_ground import even


def read(path):
    """The tree of a binary glTF file, and a function that returns an accessor's values."""
    data = path.read_bytes()
    magic, version, length, size, kind = struct.unpack("<IIIII", data[:20])
    assert (magic, version, length, kind) == (0x46546C67, 2, len(data), 0x4E4F534A)
    tree, binary = json.loads(data[20 : 20 + size]), data[28 + size :]
    assert tree["buffers"][0]["byteLength"] == len(binary) and size % 4 == 0

    def values(number):
        one = tree["accessors"][number]
        view = tree["bufferViews"][one["bufferView"]]
        kind = {5126: np.float32, 5125: np.uint32}[one["componentType"]]
        part = binary[view["byteOffset"] : view["byteOffset"] + view["byteLength"]]
        return np.frombuffer(part, kind).reshape(one["count"], -1)

    return tree, values


def test_a_scene_has_each_plant_as_an_instance(temperate, tmp_path):
    made = grow(even(), temperate, box=Box(-30.0, 30.0, -30.0, 30.0))
    z = np.linspace(5, 9, len(made), dtype=np.float32)
    write_glb(tmp_path / "plants.glb", made, z, temperate.species)
    tree, values = read(tmp_path / "plants.glb")
    assert {node["name"] for node in tree["nodes"]} == {
        temperate.species[n].name for n in made.species
    }
    for node in tree["nodes"]:
        number = next(n for n, one in enumerate(temperate.species) if one.name == node["name"])
        own = made.species == number
        got = node["extensions"]["EXT_mesh_gpu_instancing"]["attributes"]
        place = np.stack([made.x, z, -made.y], axis=1)[own]
        np.testing.assert_allclose(values(got["TRANSLATION"]), place, atol=1e-5)
        turn = values(got["ROTATION"])
        np.testing.assert_allclose(np.arctan2(turn[:, 1], turn[:, 3]) * 2, made.rotation[own], 1e-5)
        np.testing.assert_array_equal(values(got["SCALE"])[:, 1], made.height[own])
        mesh = tree["meshes"][node["mesh"]]["primitives"][0]
        points, corners = values(mesh["attributes"]["POSITION"]), values(mesh["indices"])
        assert corners.max() == len(points) - 1 and points[:, 1].max() == 1


def test_no_plants_are_an_empty_scene(temperate, tmp_path):
    none = grow(even(soil=0.0), temperate, box=Box(-5.0, 5.0, -5.0, 5.0))
    assert not len(none)
    write_glb(tmp_path / "none.glb", none, np.empty(0, np.float32), temperate.species)
    data = (tmp_path / "none.glb").read_bytes()
    assert json.loads(data[20:])["asset"]["version"] == "2.0"
