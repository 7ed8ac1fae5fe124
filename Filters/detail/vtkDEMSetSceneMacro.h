/**
 * Defines the setter of a scene property, for the .cxx file of its class. Unlike vtkSetMacro, a new
 * value also marks the scene as modified (vtkDEMTimelineAlgorithm::SceneModified).
 */

#ifndef vtkDEMSetSceneMacro_h
#define vtkDEMSetSceneMacro_h

#define vtkDEMSetSceneMacro(thisClass, name, type)                                                 \
  void thisClass::Set##name(type value)                                                            \
  {                                                                                                \
    if (this->name != value)                                                                       \
    {                                                                                              \
      this->name = value;                                                                          \
      this->SceneModified();                                                                       \
    }                                                                                              \
  }                                                                                                \
  static_assert(true, "requires a semicolon")

#endif
