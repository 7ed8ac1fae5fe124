"""The grains of the last frame of liggghts.dump as MercuryDPM writes particles (BaseVTKWriter, ParticleVtkWriter, SphericalParticleVtkWriter of its
sources: an unstructured grid without cells, ASCII, single precision, numbers of 6 digits, no Id). Run in this folder: python3 mercury.py"""
rows = [line.split() for line in open("liggghts.dump")]
start = max(i for i, row in enumerate(rows) if row[:2] == ["ITEM:", "ATOMS"])
names, grains = rows[start][2:], rows[start + 1:]


def array(name, columns, extra=""):
    out = [f'  <DataArray type="Float32" Name="{name}"{extra} format="ascii">']
    out += ["\t" + " ".join(grain[names.index(c)] for c in columns) for grain in grains]
    return out + ["  </DataArray>"]


three = ' NumberOfComponents="3"'
lines = ['<?xml version="1.0"?>', "", '<!-- time 0.2-->', '<VTKFile type="UnstructuredGrid" version="0.1" byte_order="LittleEndian">', "<UnstructuredGrid>",
         f'<Piece NumberOfPoints="{len(grains)}" NumberOfCells="0">', "<Points>", *array("Position", "xyz", three), "</Points>",
         '<PointData  Vectors="vector">', *array("Velocity", ["vx", "vy", "vz"], three), *array("Radius", ["radius"]),
         *array("speciesType", ["type"]), "</PointData>", "<Cells>",
         '  <DataArray type="Int32" Name="connectivity" format="ascii">', "  </DataArray>",
         '  <DataArray type="Int32" Name="offsets" format="ascii">', "  </DataArray>",
         '  <DataArray type="UInt8"  Name="types" format="ascii">', "  </DataArray>", "</Cells>", "</Piece>", "</UnstructuredGrid>", "</VTKFile>"]
open("mercuryParticle_0.vtu", "w").write("\n".join(lines) + "\n")
