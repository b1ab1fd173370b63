library/libtrueasync.a: $(TRUE_ASYNC_LIBRARY_OBJECTS)
	@rm -f $@
	$(AR) rcs $@ $(TRUE_ASYNC_LIBRARY_OBJECTS)

library/%.o: $(TRUE_ASYNC_ROOT)/src/%.cpp
	@mkdir -p $(@D)
	$(CXX) $(TRUE_ASYNC_LIBRARY_FLAGS) $(INCLUDES) $(CXXFLAGS) -fPIC -pthread -MMD -c $< -o $@

library/%.o: $(TRUE_ASYNC_ROOT)/src/%.S
	@mkdir -p $(@D)
	$(CC) -I$(TRUE_ASYNC_ROOT)/src $(CFLAGS) -fPIC -c $< -o $@

-include $(TRUE_ASYNC_LIBRARY_OBJECTS:.o=.d)
