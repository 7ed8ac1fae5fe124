#include "vtkDEMSearchAlgorithm.h"

#include "BroadPhase/BroadPhaseOptions.h"
#include "NeighborList/NeighborListOptions.h"
#include "detail/vtkDEMChoice.h"
#include "detail/vtkDEMSetSceneMacro.h"

using vtkDEMChoice::Choice;

vtkDEMSetSceneMacro(vtkDEMSearchAlgorithm, BroadPhase, int);
vtkDEMSetSceneMacro(vtkDEMSearchAlgorithm, CellOrder, int);
vtkDEMSetSceneMacro(vtkDEMSearchAlgorithm, CellSort, int);
vtkDEMSetSceneMacro(vtkDEMSearchAlgorithm, CellsPerParticle, int);
vtkDEMSetSceneMacro(vtkDEMSearchAlgorithm, LinkedCells, int);
vtkDEMSetSceneMacro(vtkDEMSearchAlgorithm, FixedCells, int);
vtkDEMSetSceneMacro(vtkDEMSearchAlgorithm, CellCapacity, int);
vtkDEMSetSceneMacro(vtkDEMSearchAlgorithm, HashFunction, int);
vtkDEMSetSceneMacro(vtkDEMSearchAlgorithm, HashTableFactor, int);
vtkDEMSetSceneMacro(vtkDEMSearchAlgorithm, HashOrder, int);
vtkDEMSetSceneMacro(vtkDEMSearchAlgorithm, BVHKeyBits, int);
vtkDEMSetSceneMacro(vtkDEMSearchAlgorithm, HalfSearch, bool);
vtkDEMSetSceneMacro(vtkDEMSearchAlgorithm, TriangleSearch, int);
vtkDEMSetSceneMacro(vtkDEMSearchAlgorithm, SortParticles, int);
vtkDEMSetSceneMacro(vtkDEMSearchAlgorithm, SortSteps, int);
vtkDEMSetSceneMacro(vtkDEMSearchAlgorithm, SortTime, double);
vtkDEMSetSceneMacro(vtkDEMSearchAlgorithm, NeighborList, int);
vtkDEMSetSceneMacro(vtkDEMSearchAlgorithm, StaticSize, int);
vtkDEMSetSceneMacro(vtkDEMSearchAlgorithm, SymmetricList, bool);
vtkDEMSetSceneMacro(vtkDEMSearchAlgorithm, ThreadPer, int);
vtkDEMSetSceneMacro(vtkDEMSearchAlgorithm, ListOrder, int);

//------------------------------------------------------------------------------
void vtkDEMSearchAlgorithm::FillBroadPhase(dem::BroadPhaseOptions& search) const
{
  search.kind = Choice<dem::BroadPhaseKind>("BroadPhase", this->BroadPhase, dem::kBroadPhaseNames);
  search.cell_order = Choice<dem::CellOrder>("CellOrder", this->CellOrder, dem::kCellOrderNames);
  search.cell_sort = Choice<dem::CellSort>("CellSort", this->CellSort, dem::kCellSortNames);
  search.cells_per_particle = this->CellsPerParticle;
  search.linked_cells =
    Choice<dem::LinkedCellsForm>("LinkedCells", this->LinkedCells, dem::kLinkedCellsNames);
  search.fixed_cells =
    Choice<dem::FixedCellsForm>("FixedCells", this->FixedCells, dem::kFixedCellsNames);
  search.cell_capacity = this->CellCapacity;
  search.hash =
    Choice<dem::HashFunction>("HashFunction", this->HashFunction, dem::kHashFunctionNames);
  search.hash_table_factor = this->HashTableFactor;
  search.hash_order = Choice<dem::HashOrder>("HashOrder", this->HashOrder, dem::kHashOrderNames);
  search.bvh_key_bits = this->BVHKeyBits;
  search.half_search = this->HalfSearch;
  search.triangles = Choice<dem::TriangleSearchKind>(
    "TriangleSearch", this->TriangleSearch, dem::kTriangleSearchNames);
  search.sort = Choice<dem::SortKind>("SortParticles", this->SortParticles, dem::kSortNames);
  search.sort_steps = this->SortSteps;
  search.sort_time = this->SortTime;
}

//------------------------------------------------------------------------------
void vtkDEMSearchAlgorithm::FillNeighborList(dem::NeighborListOptions& list) const
{
  list.kind =
    Choice<dem::NeighborListKind>("NeighborList", this->NeighborList, dem::kNeighborListNames);
  list.static_size = this->StaticSize;
  list.symmetric = this->SymmetricList;
  list.thread_per = Choice<dem::ThreadPer>("ThreadPer", this->ThreadPer, dem::kThreadPerNames);
  list.order = Choice<dem::ListOrder>("ListOrder", this->ListOrder, dem::kListOrderNames);
}

//------------------------------------------------------------------------------
void vtkDEMSearchAlgorithm::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "BroadPhase: " << this->BroadPhase << endl;
  os << indent << "CellOrder: " << this->CellOrder << endl;
  os << indent << "CellSort: " << this->CellSort << endl;
  os << indent << "CellsPerParticle: " << this->CellsPerParticle << endl;
  os << indent << "LinkedCells: " << this->LinkedCells << endl;
  os << indent << "FixedCells: " << this->FixedCells << endl;
  os << indent << "CellCapacity: " << this->CellCapacity << endl;
  os << indent << "HashFunction: " << this->HashFunction << endl;
  os << indent << "HashTableFactor: " << this->HashTableFactor << endl;
  os << indent << "HashOrder: " << this->HashOrder << endl;
  os << indent << "BVHKeyBits: " << this->BVHKeyBits << endl;
  os << indent << "HalfSearch: " << this->HalfSearch << endl;
  os << indent << "TriangleSearch: " << this->TriangleSearch << endl;
  os << indent << "SortParticles: " << this->SortParticles << endl;
  os << indent << "SortSteps: " << this->SortSteps << endl;
  os << indent << "SortTime: " << this->SortTime << endl;
  os << indent << "NeighborList: " << this->NeighborList << endl;
  os << indent << "StaticSize: " << this->StaticSize << endl;
  os << indent << "SymmetricList: " << this->SymmetricList << endl;
  os << indent << "ThreadPer: " << this->ThreadPer << endl;
  os << indent << "ListOrder: " << this->ListOrder << endl;
}
